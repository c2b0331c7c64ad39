"""Changes of facets between two reports that compare tokenizers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.report.comparison import PROVED, Comparison, Outcome
from tokaudit.report.report import Report

BEST_FIRST = (*PROVED, Outcome.UNDIFFERING, Outcome.UNKNOWN, Outcome.DIFFERS)


@dataclass(frozen=True)
class ChangedFacet:
    """A facet or relation, before and after."""

    name: str
    was: str
    now: str
    worse: bool = False

    def __str__(self) -> str:
        """Format the change as a line."""
        return f"{'worse' if self.worse else 'changed'}: {self.name}: {self.now} (was: {self.was})"


def changed_facets(old: Report, new: Report) -> tuple[ChangedFacet, ...]:
    """Return the changes of each pair that both reports have."""
    return tuple(change for was, now in _matched(old, new) for change in _changes(was, now))


def not_compared(old: Report, new: Report) -> tuple[Comparison, ...]:
    """Return the pairs of the old report that the new one lacks."""
    matched = [was for was, _ in _matched(old, new)]
    return tuple(each for each in old.comparisons if not any(each is was for was in matched))


def _matched(old: Report, new: Report) -> list[tuple[Comparison, Comparison]]:
    """Match the pairs of both reports by name; unmatched ones in order, unless of a gate.

    A folder may have another name in another run, but one of several subjects is known by its name.
    """
    waiting, matched, renamed = list(old.comparisons), [], []
    for now in new.comparisons:
        was = next((each for each in waiting if _names(each) == _names(now)), None)
        if was is None:
            renamed.append(now)
        else:
            waiting.remove(was)
            matched.append((was, now))
    several = old.parts or new.parts
    return matched if several else [*matched, *zip(waiting, renamed, strict=False)]


def _names(comparison: Comparison) -> tuple[str, str]:
    return comparison.left, comparison.right


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
