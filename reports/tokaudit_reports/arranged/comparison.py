"""Arranges a comparison for readers: short names, one table of facets, then a card a text.

What both sides have the same is folded, and a facet whose text another facet explains has no card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokaudit.plugin import Comparison, Evidence, Facet, Outcome, Relation, Report, TracedBySides
from tokaudit.report.sentences.of_comparison import labels
from tokaudit_reports.arranged.order import both_sides
from tokaudit_reports.arranged.parting import first_parting

OPEN = (Outcome.DIFFERS, Outcome.UNKNOWN)  # what a reader must see; the rest is folded
FOLDED = (Outcome.UNDIFFERING, Outcome.EQUIVALENT, Outcome.IDENTICAL)
SIGNS = {
    Outcome.IDENTICAL: "✓",
    Outcome.EQUIVALENT: "✓",
    Outcome.UNDIFFERING: "○",
    Outcome.DIFFERS: "✕",
    Outcome.UNKNOWN: "?",
}
RELATION_OUTCOMES = {
    Relation.SAME: Outcome.IDENTICAL,
    Relation.UNDIFFERING: Outcome.UNDIFFERING,
    Relation.UNKNOWN: Outcome.UNKNOWN,
}
LEGEND = "✓ proved the same, ○ no difference found, ✕ differs, ? unknown"
# The facet that decides what a stage of encoding makes of a text.
FACET_OF_STAGE = {
    "added tokens": "added tokens",
    "normalized text": "normalizer",
    "pieces": "pre-tokenizer",
    "merges": "merges",
    "tokens": "merges",
    "ids": "ids",
}


@dataclass(frozen=True, slots=True)
class FacetRow:
    """A facet in the table; `explained_by` names the one that explains its text."""

    facet: Facet
    explained_by: str = ""

    @property
    def text(self) -> str | None:
        """Return the shortest text on which the facet differs, if one is its own."""
        shown = self.facet.evidence[:1]
        return shown[0].text if shown and not self.explained_by else None

    @property
    def said(self) -> str:
        """Return the words of the table for a facet without a separate text."""
        if self.explained_by:
            return f"{self.facet.why}; the text found for it differs by {self.explained_by} first"
        return self.facet.why


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """Two sides with short names, the rows of their table, and what is the same."""

    comparison: Comparison
    sides: tuple[tuple[str, str], ...]  # each short name with its folder and file
    rows: tuple[FacetRow, ...]
    same: tuple[tuple[Outcome, tuple[Facet, ...]], ...]

    @property
    def cards(self) -> tuple[Facet, ...]:
        """The facets with evidence of their own."""
        return tuple(row.facet for row in self.rows if row.facet.evidence and not row.explained_by)


@dataclass(frozen=True, slots=True)
class FacetMatrix:
    """The outcome of each facet for more than two sides, each against the first."""

    names: tuple[str, ...]  # of all sides, the first included
    rows: tuple[tuple[str, tuple[Outcome | None, ...]], ...]
    same: tuple[str, ...]  # the facets in which none differs and none is unknown


def views(report: Report) -> tuple[ComparisonView, ...]:
    """Every comparison of a report, arranged; those of runtimes keep their names."""
    found = report.comparisons
    short = _short_names(found)
    arranged = tuple(_view(each, {} if each.runtime else short) for each in found)
    return tuple(replace(each, sides=()) for each in arranged) if report.matrix else arranged


def all_sides(report: Report) -> tuple[tuple[str, str], ...]:
    """List each of more than two with its folder and file, once; two have them in their view."""
    found = views(replace(report, matrix=())) if report.matrix else ()
    return tuple(dict.fromkeys(side for view in found for side in view.sides))


def groups(report: Report) -> tuple[tuple[str, ...], ...]:
    """Group the sides that are proved the same, by short names; empty if no two are."""
    short = dict(zip(report.compared, side_labels(report), strict=True))
    several = (group for group in report.groups if group[1:])
    return tuple(tuple(short.get(name, name) for name in group) for group in several)


def with_short_names(report: Report) -> Report:
    """A report whose comparisons call each side by its short name."""
    found = [view.comparison for view in views(report)]
    if not found:
        return report
    return replace(report, comparison=found[0], further=tuple(found[1:]))


def facet_matrix(report: Report) -> FacetMatrix | None:
    """The facets of more than two as a matrix; None for two."""
    found = views(report)
    if not report.matrix or not found:
        return None
    outcomes = [{f.name: f.outcome for f in view.comparison.facets} for view in found]
    names = dict.fromkeys(name for each in outcomes for name in each)
    rows = [(name, tuple(each.get(name) for each in outcomes)) for name in names]
    telling = [row for row in rows if any(outcome in OPEN for outcome in row[1])]
    same = tuple(name for name, known in rows if not any(each in OPEN for each in known))
    return FacetMatrix(side_labels(report), tuple(telling), same)


def side_labels(report: Report) -> tuple[str, ...]:
    """A short name for each of the compared, also where two are the same folder."""
    return tuple(labels(report.compared))


def relation_signs(report: Report) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the number and name of each side, and a sign for its relation to each."""
    for at, (name, row) in enumerate(zip(side_labels(report), report.matrix, strict=True)):
        signs = (SIGNS[relation_outcome(relation)] for relation in row)
        drawn = tuple("·" if other == at else sign for other, sign in enumerate(signs))
        yield f"{at + 1} {name}", drawn


def relation_outcome(relation: Relation) -> Outcome:
    """Return a relation as one of the four outcomes that a matrix draws."""
    return RELATION_OUTCOMES.get(relation, Outcome.DIFFERS)


def traces_of(comparison: Comparison, facet: Facet) -> dict[str, TracedBySides]:
    """Return the stages of both sides by text, for a facet that stages can explain."""
    if facet.name not in FACET_OF_STAGE.values():
        return {}
    return {each.text: each for each in comparison.traces}


def _short_names(found: Sequence[Comparison]) -> dict[str, str]:
    names = list(dict.fromkeys(n for c in found if not c.runtime for n in (c.left, c.right)))
    return dict(zip(names, labels(names), strict=True)) if names else {}


def _view(full: Comparison, short: Mapping[str, str]) -> ComparisonView:
    shortened = _shortened(full, short)
    names = (shortened.left, shortened.right)
    rows = tuple(sorted(_rows(shortened), key=lambda row: OPEN.index(row.facet.outcome)))
    same = ((kind, tuple(f for f in shortened.facets if f.outcome is kind)) for kind in FOLDED)
    sides = tuple(dict.fromkeys(zip(names, both_sides(full), strict=True)))
    return ComparisonView(shortened, sides, rows, tuple(each for each in same if each[1]))


def _rows(comparison: Comparison) -> Iterator[FacetRow]:
    """Yield facets that differ or are unknown, each with the facet that explains its text."""
    shown = {f.name: _stage_facet(f, comparison) for f in comparison.facets if f.evidence}
    own = {name for name, by in shown.items() if by in ("", name)}
    for facet in comparison.facets:
        if facet.outcome in OPEN:
            by = shown.get(facet.name, "")
            yield FacetRow(facet, by if by in own - {facet.name} else "")


def _stage_facet(facet: Facet, comparison: Comparison) -> str:
    """Return the facet of the first stage at which a facet's text differs; "" if unknown."""
    traced = traces_of(comparison, facet).get(facet.evidence[0].text or "")
    parting = None if traced is None else first_parting(traced)
    return "" if parting is None else FACET_OF_STAGE[parting.stage]


def _shortened(full: Comparison, short: Mapping[str, str]) -> Comparison:
    """Put short names in every place of a comparison that shows one."""
    if all(short.get(name, name) == name for name in (full.left, full.right)):
        return full
    longest = sorted(short.items(), key=lambda pair: -len(pair[0]))

    def short_text(text: str) -> str:
        for name, label in longest:
            text = text.replace(name, label) if name != label and len(name) > 1 else text
        return text

    def labelled(shown: Evidence) -> Evidence:
        left, right = short_text(shown.expected_label), short_text(shown.actual_label)
        return replace(shown, expected_label=left, actual_label=right)

    facets = tuple(
        replace(
            facet,
            why=short_text(facet.why),
            places=tuple(replace(place, file=short_text(place.file)) for place in facet.places),
            evidence=tuple(map(labelled, facet.evidence)),
        )
        for facet in full.facets
    )
    corpus = tuple(replace(c, worst=tuple(map(labelled, c.worst))) for c in full.corpus)
    minimal = None if full.minimal is None else labelled(full.minimal)
    left, right = short.get(full.left, full.left), short.get(full.right, full.right)
    return replace(full, left=left, right=right, facets=facets, corpus=corpus, minimal=minimal)
