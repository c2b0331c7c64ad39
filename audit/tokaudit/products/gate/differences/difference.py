"""Difference of two reports: new, worse, gone or unchanged findings, and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.engine.check import CHECKS
from tokaudit.engine.rendering import ReportOrFile, stored
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.plugins.installed import installed
from tokaudit.products.gate.differences.changed_facets import (
    ChangedFacet,
    changed_facets,
    not_compared,
)
from tokaudit.products.gate.differences.changed_verdicts import (
    ChangedVerdict,
    aligned,
    changed_verdicts,
    is_worse,
    missing_subjects,
)
from tokaudit.products.gate.differences.changes import Changes, changes
from tokaudit.products.gate.differences.declared import declarations
from tokaudit.products.gate.differences.snapshot import KnownFinding, Snapshot, taken
from tokaudit.report.model import Finding
from tokaudit.report.report import Report
from tokaudit.report.wording import of_part


@dataclass(frozen=True)
class Difference:
    """Two reports, and the changes from old to new."""

    old: Report
    new: Report
    changes: Changes
    facets: tuple[ChangedFacet, ...] = ()
    verdicts: tuple[ChangedVerdict, ...] = ()

    @property
    def exit_code(self) -> int:
        """Return 1 if a finding is new or worse, or a figure, facet or verdict is worse; else 0."""
        worse = [self.changes.got_worse, is_worse(self.old.verdict, self.new.verdict)]
        worse += [each.worse for each in self.facets]
        worse += [each.worse for each in self.verdicts]
        return 1 if any(worse) else 0


def difference(before: ReportOrFile, after: ReportOrFile) -> Difference:
    """The difference of two reports, or of those in two files.

    What is suppressed counts as found, so that it is new only once.  Raises `UsageError` for a
    comparison next to an audit, which share no question.
    """
    old, new = stored(before), stored(after)
    if _only_compares(old) != _only_compares(new):
        kinds = [_kind(each) for each in (old, new)]
        raise UsageError(
            f"report --diff: the first file is {kinds[0]}, the second {kinds[1]}; name two files "
            "of the same kind"
        )
    old, new = aligned(old, new)
    declared = declarations(installed(CHECKS).by_name.values())
    found = changes(_all(old), _all(new), declared, new.results)
    return Difference(old, new, found, changed_facets(old, new), changed_verdicts(old, new))


def _only_compares(report: Report) -> bool:
    return bool(report.compared)


def _kind(report: Report) -> str:
    return "a comparison of tokenizers" if _only_compares(report) else "an audit"


def _all(report: Report) -> Snapshot:
    return taken(report.results, gate=True)


def lines(found: Difference) -> Iterator[str]:
    """Yield the difference in lines: verdicts, new findings, and a count of unchanged ones.

    A finding of a check that decided nothing this time is not gone.
    """
    if found.new.subject.name != found.old.subject.name:
        yield f"subject: {found.new.subject.name}, was {found.old.subject.name}"
    yield f"verdict: {found.new.verdict}, was {found.old.verdict}"
    yield from map(str, found.verdicts)
    said = _messages(found.new)
    for one in found.changes.new:
        yield f"new: {_named(one)}: {one.severity}: {said.get(one.key, '')}"
    for one, why in found.changes.worse:
        yield f"worse: {_named(one)}: {why}: {said.get(one.key, '')}"
    before = _messages(found.old)
    for one in found.changes.gone:
        yield f"gone: {_named(one)}: {one.severity}: {before.get(one.key, '')}"
    for one in found.changes.open:
        yield f"not examined again: {_named(one)}: {one.severity}: {before.get(one.key, '')}"
    for figure in found.changes.figures:
        yield f"{'worse' if figure.worse else 'changed'}: {figure}"
    yield from map(str, found.facets)
    for name in missing_subjects(found.old, found.new):
        yield f"not examined again: {name}"
    for pair in not_compared(found.old, found.new):
        yield f"not examined again: how {pair.left} and {pair.right} compare"
    same = len(found.changes.unchanged)
    yield f"unchanged: {same:,} finding{'' if same == 1 else 's'}"


def _named(one: KnownFinding) -> str:
    return of_part(one.identity, one.part)


def _messages(report: Report) -> dict[tuple[str, str], str]:
    """Return the first message of each finding."""
    found: dict[tuple[str, str], str] = {}
    for result in report.results:
        every: Sequence[Finding] = (*result.findings, *(s.finding for s in result.suppressed))
        for finding in every:
            found.setdefault((finding.identity, result.part), finding.message)
    return found
