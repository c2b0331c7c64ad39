"""Bytes of text per id in each shard, and shards that stand out."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    check,
)
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import shard_place
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

LEAST_IDS = 5_000  # of a shard whose figure is compared with the others
LEAST_SHARDS = 4
TIMES = 2.5  # above or below the median of the shards
MOST_SHARDS = 200  # with one figure each


@check(
    "data/compression",
    title="Shards have similar bytes per id",
    why="If the ids of one shard stand for far fewer bytes of text per id than the ids of other "
    "shards, the shard was made from another kind of text, or in another way.",
    incident="Nobody noticed ids of another tokenizer of equal size (decoderesearch/SAELens#146).",
    remedy="Look at {file|the shard}: it may be of another language or kind of text.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.INFO,
    harm=Harm.COST,
    milder="a figure that differs between shards may be that of their texts.",
    basis=Basis.INTRINSIC,
    measures=(Measured("data/bytes_per_id"), Measured("data/ids_of_own_encoding")),
    no_example="Its subject is files of ids; the tests write a shard of another kind of text.",
)
def compression(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Measure each shard, with a note for one that is far from the others."""
    total, method = scan.total, scan.method
    if not total.drawn_ids:
        raise NotApplicable("no whole document was drawn")
    yield Measurement(
        "data/ids_of_own_encoding",
        "Ids on disk to ids of the own encoding",
        total.drawn_ids / max(1, total.own_ids),
        "ratio",
        total.drawn,
        method,
    )
    figures = {
        name: tally.drawn_bytes / tally.drawn_ids
        for name, tally in scan.tallies.items()
        if tally.drawn_ids
    }
    for name, value in list(figures.items())[:MOST_SHARDS]:
        n = scan.tallies[name].drawn_ids
        dimensions = {"shard": name}
        yield Measurement(
            "data/bytes_per_id", "Bytes per id", value, "bytes", n, method, dimensions=dimensions
        )
    large = {n: v for n, v in figures.items() if scan.tallies[n].drawn_ids >= LEAST_IDS}
    if len(large) < LEAST_SHARDS:
        return
    middle = median(large.values())
    for name, value in large.items():
        if not middle / TIMES <= value <= middle * TIMES:
            yield Finding(
                Severity.INFO,
                f"{name}: an id is {value:.2f} bytes of text, in the middle of the shards "
                f"{middle:.2f}",
                (shard_place(name),),
                cause="other text",
            )
