"""`tokaudit.run_check`: run a single check, as its tests need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokaudit.engine.check import Check, check_ids, checks_named
from tokaudit.engine.needs import Base, Others
from tokaudit.engine.opening import SubjectName, repository_of
from tokaudit.engine.options import Options
from tokaudit.engine.outcome.lines import with_lines
from tokaudit.engine.outcome.present_values import with_present_values
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.runner import ask
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import CheckSettings
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.setting import part
from tokaudit.products.audit.shared_files import shared_out
from tokaudit.report.model import CheckResult, Status
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import Repository

WORST = (
    Status.CRASHED,
    Status.FAILED,
    Status.SKIPPED,
    Status.PASSED,
    Status.NOT_APPLICABLE,
)


@keywords(CheckSettings)
def run_check(check: str | Check, subject: SubjectName, asked: CheckSettings) -> CheckResult:
    """Run one check, installed or not, regardless of tier; `tier` sets how much text is tried.

    >>> import tokaudit
    >>> result = tokaudit.run_check("vocab/holes", "models/checkpoint")
    >>> str(result.status)
    'passed'
    """
    options = part(asked, Options)
    found = check if isinstance(check, Check) else _installed(check)
    others = Others(
        base=None if asked.base is None else str(asked.base),
        against=None if asked.against is None else str(asked.against),
        download=asked.download,
        tokenizer=None if asked.tokenizer is None else str(asked.tokenizer),
    )
    mine, others = shared_out(subject, others, asked.files)
    opened = repository_of(subject, replace(asked, files=mine))
    return one_result([_asked(found, part, opened, options, others) for part in opened.subjects])


def _asked(
    check: Check, subject: Subject, repository: Repository, options: Options, others: Others
) -> CheckResult:
    """Run a check for one tokenizer of a repository, which may be the only one."""
    original = next((s for s in repository.subjects if s.part == subject.original), None)
    workers = Workers(options.limits())
    copied = replace(others, original=original if subject.original else None)
    try:
        with workers.limits.watched():
            needs = audit_needs(subject, options, workers, copied)
            result = ask(check, needs)
        own = [each for each in (copied.original, subject) if each is not None]
        base = needs.optional(Base) if copied.base is not None else None
        bases = [base.subject] if base else []
        return with_present_values(with_lines([result], own, bases), own, bases)[0]
    finally:
        workers.close()


def one_result(results: Sequence[CheckResult]) -> CheckResult:
    """Merge a check's results over all parts: the worst status, and every finding."""
    order = list(WORST)
    worst = min(results, key=lambda result: order.index(result.status))
    return replace(
        worst,
        findings=tuple(each for result in results for each in result.findings),
        measurements=tuple(each for result in results for each in result.measurements),
        seconds=sum(result.seconds for result in results),
    )


def _installed(id: str) -> Check:
    known = check_ids()
    if id not in known:
        raise UsageError(f"check {id!r}: is not installed{meant(id, known)}")
    return next(check for check in checks_named((id,)) if check.id == id)
