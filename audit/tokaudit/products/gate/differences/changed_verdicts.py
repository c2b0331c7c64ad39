"""Changes of verdicts between two reports, by subject."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tokaudit.report.model import CheckResult, Verdict
from tokaudit.report.recorded import PartRecord
from tokaudit.report.report import Report

BEST_FIRST = (Verdict.PASS, Verdict.UNVERIFIABLE, Verdict.FAIL)


@dataclass(frozen=True)
class ChangedVerdict:
    """The verdict on one of several subjects, before and after."""

    name: str
    was: PartRecord
    now: PartRecord

    @property
    def worse(self) -> bool:
        """Return whether the verdict claims less than before."""
        return is_worse(self.was.verdict, self.now.verdict)

    def __str__(self) -> str:
        """Format the change as a line."""
        said = f"verdict of {self.name}: {self.now.verdict}, was {self.was.verdict}"
        return f"{'worse' if self.worse else 'changed'}: {said}: {self.now.verdict_reason}"


def is_worse(was: Verdict, now: Verdict) -> bool:
    """Return whether the later verdict claims less; from fail to undecided is not worse.

    >>> is_worse(Verdict.PASS, Verdict.UNVERIFIABLE), is_worse(Verdict.FAIL, Verdict.UNVERIFIABLE)
    (True, False)
    """
    return BEST_FIRST.index(now) > BEST_FIRST.index(was)


def aligned(old: Report, new: Report) -> tuple[Report, Report]:
    """Align subject names if only one of the reports has several subjects.

    A report on one subject does not name it in each result, a report on several does.
    """
    return _named_as_in(old, new), _named_as_in(new, old)


def _named_as_in(report: Report, other: Report) -> Report:
    name = report.subject.name
    if report.parts or name not in {part.name for part in other.parts}:
        return report
    results: tuple[CheckResult, ...] = tuple(replace(each, part=name) for each in report.results)
    part = PartRecord(name, report.verdict, report.verdict_reason, report.scope, report.summary)
    return replace(report, results=results, parts=(part,))


def changed_verdicts(old: Report, new: Report) -> tuple[ChangedVerdict, ...]:
    """Return the changes of the subjects that are in both."""
    before = {part.name: part for part in old.parts}
    return tuple(
        ChangedVerdict(now.name, before[now.name], now)
        for now in new.parts
        if now.name in before and now.verdict is not before[now.name].verdict
    )


def missing_subjects(old: Report, new: Report) -> Iterator[str]:
    """Yield the subjects of the old report that the new one lacks, if it has several."""
    here = {part.name for part in new.parts}
    return (part.name for part in old.parts if part.name not in here)
