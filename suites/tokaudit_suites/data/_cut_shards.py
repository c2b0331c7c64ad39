"""Shards that end in the middle of a document, where all others end with one."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Finding,
    Severity,
)
from tokaudit.products.data.ids.counts.tally import Sign
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import around, place_of, shard_place

LEAST_SHARDS = 8
MOST_OPEN = 0.1  # of shards; writers that fill shards to one size leave nearly all open


def cut_shards(scan: DataScan) -> Iterator[Finding]:
    """An error for each of the few shards whose last document has no end."""
    ended = [name for name, tally in scan.tallies.items() if tally.count(Sign.ENDS_WITH)]
    open_ = [name for name in ended if scan.tallies[name].count(Sign.LEFT_OPEN)]
    if len(ended) < LEAST_SHARDS or len(open_) > MOST_OPEN * len(ended):
        return
    for name in open_:
        spots = scan.tallies[name].spots(Sign.LEFT_OPEN)
        yield Finding(
            Severity.ERROR,
            f"{name} ends in the middle of a document; the last document of "
            f"{len(ended) - len(open_):,} other shards has its end",
            (shard_place(name), *map(place_of, spots)),
            tuple(around(scan, spot) for spot in spots[:1]),
            cause="cut shard",
        )
