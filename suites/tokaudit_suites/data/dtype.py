"""Checks that the stored number type holds every id of the tokenizer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Measurement, NotApplicable, Severity, check
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import shard_place
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

WHOLE = re.compile(r"(u?)int(\d+)")


@check(
    "data/dtype",
    title="The stored type holds every id",
    why="An id that does not fit into the stored type silently becomes another token's id.",
    incident="119,547 entries were written as uint16 (huggingface/transformers#2825).",
    remedy="Write the ids as uint32, or as another type that holds the vocabulary.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    no_example="Its subject is files of ids; the tests write them in types that are too small.",
)
def dtype(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Report ordinary ids that do not fit as errors, special and unused ones as warnings."""
    types = {name: info.dtype for name, info in scan.shards.items() if WHOLE.fullmatch(info.dtype)}
    if not types:
        raise NotApplicable("no shard states a type for its ids")
    expected = scan.expected
    for kind in sorted(set(types.values())):
        largest = _largest(kind)
        if expected.size - 1 <= largest:
            continue
        names = [name for name, each in types.items() if each == kind]
        free = {*expected.reserved, *expected.holes, *expected.pad}
        lost = sum(id not in free for id in range(largest + 1, expected.size))
        yield Finding(
            Severity.ERROR if lost else Severity.WARNING,
            f"{names[0]}{f' and {len(names) - 1:,} more' if names[1:] else ''} "
            f"{'store' if names[1:] else 'stores'} ids as {kind}, which ends at {largest:,}; the "
            f"tokenizer has ids up to {expected.size - 1:,}, so {lost:,} tokens cannot be written",
            tuple(map(shard_place, names[:5])),
            cause="too small",
        )


def _largest(kind: str) -> int:
    """Return the largest number of a type.

    >>> _largest("uint16"), _largest("int16")
    (65535, 32767)
    """
    found = WHOLE.fullmatch(kind)
    assert found is not None
    return (1 << int(found[2]) - (not found[1])) - 1
