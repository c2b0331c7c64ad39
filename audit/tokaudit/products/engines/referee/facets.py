"""Convert rulings on a runtime to facets of a comparison, and a relation."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.sides.side import Side
from tokaudit.products.engines.referee.causes import MEANING, OF_IDS, Cause
from tokaudit.products.engines.referee.laws import LawBroken, LawHolds, Ruling
from tokaudit.products.engines.referee.referee import REFUSED_SHOWN, Rulings
from tokaudit.report.comparison import Facet, Outcome, Relation
from tokaudit.report.model import Evidence, Place

IDS = "ids"
PART_OF = {
    Cause.ADDED: "added_tokens",
    Cause.NORMALIZER: "normalizer",
    Cause.SPLIT: "pre_tokenizer",
    Cause.MERGES: "model",
    Cause.BYTE_FALLBACK: "model",
    Cause.POST_PROCESSOR: "post_processor",
    Cause.PADDING: "padding",
    Cause.DECODE: "decoder",
    Cause.STREAM: "decoder",
}


def facets_of(found: Rulings, side: Side) -> tuple[Facet, ...]:
    """Return a facet for each differing cause, each law tried, and refused texts."""
    return (*_of_ids(found), *(_facet(each, side) for each in found.rulings), *_refused(found))


def relation_of(found: Rulings) -> Relation:
    """Return the relation of the runtime to the file; partly refused texts count as different."""
    if not found.texts:
        return Relation.UNKNOWN
    differs = found.broken or found.different or found.refused
    return Relation.DIFFERENT if differs else Relation.UNDIFFERING


def _of_ids(found: Rulings) -> Iterator[Facet]:
    if not any(each.cause in OF_IDS for each in found.broken):
        yield Facet(IDS, Outcome.UNDIFFERING, f"{found.texts:,} texts have the ids of the file")


def _facet(ruling: Ruling, side: Side) -> Facet:
    if isinstance(ruling, LawHolds):
        if ruling.unknown:
            return Facet(ruling.cause, Outcome.UNKNOWN, ruling.unknown)
        return Facet(ruling.cause, Outcome.UNDIFFERING, f"tried on {ruling.tried:,} texts")
    return Facet(
        ruling.cause, Outcome.DIFFERS, _why(ruling), _places(ruling, side), (ruling.evidence,)
    )


def _why(broken: LawBroken) -> str:
    shown = f"shown by {broken.different:,} of the {broken.tried:,} texts that were looked into"
    return f"{MEANING[broken.cause]}; {shown}"


def _places(broken: LawBroken, side: Side) -> tuple[Place, ...]:
    """Return the part of the file that defines the right result."""
    part = PART_OF.get(broken.cause)
    return (side.place(part, part),) if part else ()


def _refused(found: Rulings) -> Iterator[Facet]:
    if found.refused:
        shown = tuple(Evidence("text", text=text) for text in found.refused[:REFUSED_SHOWN])
        why = f"{MEANING[Cause.REFUSED]}: {len(found.refused):,}; it says: {found.why_refused}"
        yield Facet(Cause.REFUSED, Outcome.DIFFERS, why, evidence=shown)
