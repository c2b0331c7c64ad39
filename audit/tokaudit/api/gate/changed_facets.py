"""What changed between two reports that compare tokenizers, facet by facet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.report.comparison import Comparison, Outcome
from tokaudit.report.report import Report

PROVED = (Outcome.IDENTICAL, Outcome.EQUIVALENT)
BEST_FIRST = (*PROVED, Outcome.UNDIFFERING, Outcome.UNKNOWN, Outcome.DIFFERS)


@dataclass(frozen=True)
class ChangedFacet:
    """A facet, or the relation, as it is and as it was."""

    name: str
    was: str
    now: str
    worse: bool = False

    def __str__(self) -> str:
        """The line that is printed."""
        return f"{'worse' if self.worse else 'changed'}: {self.name}: {self.now} (was: {self.was})"


def changed_facets(old: Report, new: Report) -> tuple[ChangedFacet, ...]:
    """The changes of each pair, in the order of the pairs; a new name is not another pair."""
    pairs = zip(_pairs(old), _pairs(new), strict=False)
    return tuple(change for was, now in pairs for change in _changes(was, now))


def not_compared(old: Report, new: Report) -> tuple[Comparison, ...]:
    """The pairs of the old report that the new one has no more."""
    return _pairs(old)[len(_pairs(new)) :]


def _pairs(report: Report) -> tuple[Comparison, ...]:
    first = () if report.comparison is None else (report.comparison,)
    return (*first, *report.further)


def _changes(was: Comparison, now: Comparison) -> Iterator[ChangedFacet]:
    of = f"of {now.left} and {now.right}"
    if was.relation is not now.relation:
        yield ChangedFacet(f"relation {of}", was.relation, now.relation)
    before = {facet.name: facet.outcome for facet in was.facets}
    for facet in now.facets:
        old = before.get(facet.name, facet.outcome)
        if old is not facet.outcome:
            yield ChangedFacet(
                f"{facet.name} {of}", old, facet.outcome, _is_worse(old, facet.outcome)
            )


def _is_worse(was: Outcome, now: Outcome) -> bool:
    return now not in PROVED and BEST_FIRST.index(now) > BEST_FIRST.index(was)
