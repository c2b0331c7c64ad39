"""Detect a single mistake of the writer: a constant added to ids, or swapped bytes.

Documents that are none of the tokenizer's own are tried with each number taken away from all of
their ids.  One that makes each of them an own encoding, and is the only one, names the mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.products.data.files.batch import numpy
from tokaudit.products.data.ids.documents.reading import own_ids
from tokaudit.products.data.ids.plan import BEGIN, END, HOLE, OUTSIDE, PAD, UNKNOWN, Expected
from tokaudit.runtimes.protocol import Tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray

FARTHEST = 300  # what is tried to be taken away or added
LOOKED_AT = 80  # ids of a document
AT_EDGE = 8  # of these that may be others, as they are cut out of a text
LEAST = 24  # ids that come back, half of them distinct; fewer do by chance
WITHOUT_TEXT = BEGIN | END | PAD | UNKNOWN | HOLE | OUTSIDE
SWAPPED = 0  # in place of a constant


def moves_of(ids: NDArray[Any], expected: Expected, tokenizer: Tokenizer) -> list[int] | None:
    """Return the constants whose removal makes ids an own encoding; None if too few.

    `SWAPPED` stands for bytes in the other order.
    """
    tried = list(_tried(ids.astype("i8"), expected))
    if not tried:
        return None
    try:
        own = own_ids(tokenizer, [row for _, row in tried])
    except UpstreamTrouble:
        return None
    return [
        move
        for (move, row), one in zip(tried, own, strict=True)
        if one is not None and _holds(one, row[AT_EDGE:-AT_EDGE])
    ]


def _tried(ids: NDArray[Any], expected: Expected) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every possible shift with the longest text that the ids then have."""
    steps = sorted((n for n in range(-FARTHEST, FARTHEST + 1) if n), key=abs)
    rows = [(SWAPPED, _swapped(ids)), *((step, ids - step) for step in steps)]
    for move, row in rows:
        text = _longest(row, expected)
        if len(text) >= LEAST + 2 * AT_EDGE and len({*text}) >= len(text) // 2:
            yield move, text


def _swapped(ids: NDArray[Any]) -> NDArray[Any]:
    """Return the ids with swapped bytes."""
    kind = "u2" if int(ids.max(initial=0)) < 1 << 16 else "u4"
    found: NDArray[Any] = ids.astype(kind).byteswap().astype("i8")
    return found


def _longest(row: NDArray[Any], expected: Expected) -> tuple[int, ...]:
    """Return the longest part with only text ids, limited in size."""
    np, size = numpy(), expected.size
    flags = expected.flags[np.where((row < 0) | (row >= size), size, row)]
    without = np.flatnonzero(flags & WITHOUT_TEXT)
    edges = np.r_[-1, without, len(row)]
    lengths = np.diff(edges) - 1
    at = int(np.argmax(lengths))
    start, length = int(edges[at]) + 1, int(lengths[at])
    start += max(0, length - LOOKED_AT) // 2
    return tuple(row[start : start + min(length, LOOKED_AT)].tolist())


def _holds(own: tuple[int, ...], inner: tuple[int, ...]) -> bool:
    """Return whether some ids occur in sequence near the beginning of others."""
    return any(own[at : at + len(inner)] == inner for at in range(2 * AT_EDGE + 1))
