"""Documents that are copies of another."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    Worse,
    check,
)
from tokaudit.products.data.ids.counts.tally import MOST_KEPT, Copies, Place, Spot
from tokaudit.products.data.ids.documents.copies import SHORTEST
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import place_of, share, where
from tokaudit_suites.data._shard_names import twin_shards
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE


@check(
    "data/duplicates",
    title="Documents are there once",
    why="A model memorizes repeated text, and a test text that the model has already seen "
    "measures nothing.",
    incident="Where one input file was split over shards, each shard wrote every document of it, "
    "32 times in all (NVIDIA-NeMo/Nemotron #260).",
    remedy="Remove the copies of documents that were not intended.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.INFO,
    harm=Harm.COST,
    milder="a document may be repeated on purpose.",
    basis=Basis.INTRINSIC,
    measures=(Measured("data/duplicates", Worse.HIGHER),),
    no_example="Its subject is files of ids; the tests write a document twice.",
)
def duplicates(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Measure the share of duplicate documents, and show the first pair."""
    sample = scan.total.copies
    count = sum(each.count for each in sample.values())
    if not count:
        raise NotApplicable(f"no whole document of {SHORTEST} ids or more was drawn")
    alike = [set(names) for names in twin_shards(scan)]
    pairs = [each for each in sample.values() if each.count > 1 and not _of_twins(each, alike)]
    copies = sum(each.count - 1 for each in pairs)
    yield Measurement(
        "data/duplicates",
        "Documents that are copies",
        copies / count,
        "share",
        count,
        _method(scan),
    )
    if copies:
        first, second = min(map(_spots, pairs))
        yield Finding(
            Severity.INFO,
            f"{share(copies, count)} documents are copies of another one; for example, "
            f"those at {where(first)} and {where(second)}",
            (place_of(first), place_of(second)),
            cause="copies",
        )


def _method(scan: DataScan) -> str:
    if scan.share >= 1 and len(scan.total.copies) < MOST_KEPT:
        return f"every document of {SHORTEST} ids or more"
    return f"documents of {SHORTEST} ids or more, drawn by a hash of what they hold"


def _of_twins(copies: Copies, alike: list[set[str]]) -> bool:
    """Return whether both are in duplicate shards, which are reported as a whole."""
    (first, *_), (second, *_) = copies.places
    return first != second and any({first, second} <= names for names in alike)


def _spots(copies: Copies) -> tuple[Spot, Spot]:
    first, second = map(_spot, copies.places)
    return first, second


def _spot(place: Place) -> Spot:
    return Spot(*place)
