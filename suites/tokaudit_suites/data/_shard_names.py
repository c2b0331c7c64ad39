"""Shards with the same ids, and gaps in the numbering of shards."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from tokaudit.plugin import Finding, Severity
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import shard_place

NUMBER = re.compile(r"\d+")
LEAST_NUMBERED = 4  # shards; fewer are no series
MOST_LEFT_OUT = 0.2  # of a series; with more of them out the numbers mean something else
LEAST_IDS = 64  # of shards that are said to hold the same
SURE_IDS = 4096  # from which on no two texts have every id as often


def twin_shards(scan: DataScan) -> list[list[str]]:
    """Return the names of equally long shards with equal counts of every id."""
    alike: dict[object, list[str]] = defaultdict(list)
    for name, tally in scan.tallies.items():
        if tally.ids >= LEAST_IDS:
            key = tally.ids, tally.documents, tally.highest, frozenset(tally.counts.items())
            alike[key].append(name)
    return [names for names in alike.values() if names[1:]]


def twins(scan: DataScan) -> Iterator[Finding]:
    """Report groups of duplicate shards: errors for large ones, warnings for small ones."""
    for names in twin_shards(scan):
        sure = scan.tallies[names[0]].ids >= SURE_IDS
        yield Finding(
            Severity.ERROR if sure else Severity.WARNING,
            f"{' and '.join(names[:4])} hold every id as often: one "
            f"{'is' if sure else 'may be'} a copy of the other",
            tuple(map(shard_place, names[:5])),
            cause="twins",
        )


def missing(scan: DataScan) -> Iterator[Finding]:
    """Report numbers that a series of names skips."""
    series: dict[str, set[int]] = defaultdict(set)
    for name in (*scan.shards, *(name for name, _ in scan.unreadable)):
        found = list(NUMBER.finditer(name))
        for one in found[:1] if "-of-" in name else found[-1:]:
            series[f"{name[: one.start()]}#{name[one.end() :]}"].add(int(one[0]))
    for form, numbers in series.items():
        lowest, highest = min(numbers), max(numbers)
        span = highest - lowest + 1
        left_out = span - len(numbers)
        if len(numbers) >= LEAST_NUMBERED and 0 < left_out <= MOST_LEFT_OUT * span:
            first = next(n for n in range(lowest, highest) if n not in numbers)
            yield Finding(
                Severity.WARNING,
                f"the shards {form} have the numbers {lowest:,} to {highest:,} without "
                f"{left_out:,} of them, such as {first:,}",
                (shard_place(form.replace("#", str(highest))),),
                cause="missing shard",
            )
