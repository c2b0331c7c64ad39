"""Differences of two models on paper: missing merges, and merges in another order.

Each difference comes with pieces whose text, joined, is where it would show.  Whether it does is
found out by running it (`witness`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.products.compare.proofs.merges.candidates import Merge
from tokaudit.products.compare.proofs.merges.model import MergeModel
from tokaudit_reference.models.bpe.merge_table import Surface

RARE = ("\u2603", "\ua66e", "\U0001f9ff")  # characters that few vocabularies have
Latest = dict[Surface, tuple[int, Merge]]  # piece -> place on the other side, and the merge


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference in words, with pieces to write next to each other."""

    what: str
    pieces: tuple[Surface, ...]


def differences(a: MergeModel, b: MergeModel) -> Iterator[Difference]:
    """Yield all differences on paper; they need not affect any text."""
    if a.spelling.unknown != b.spelling.unknown:
        for character in RARE:
            yield Difference("unknown text is treated differently", (character,))
    for symbol in a.spelling.symbols ^ b.spelling.symbols:
        yield Difference(f"only one side has the symbol {symbol!r}", (symbol,))
    for symbol in a.spelling.user_defined ^ b.spelling.user_defined:
        yield Difference(f"only one side takes {symbol!r} as a user's symbol", (symbol,))
    for piece in set(a.taken_whole) ^ set(b.taken_whole):
        yield Difference(f"only one side takes {piece!r} whole", (piece,))
    for one, other in ((a, b), (b, a)):
        for merge in one.firing.merges:
            if (merge.left, merge.right) not in other.by_pair:
                what = f"only one side merges {merge.left!r} + {merge.right!r}"
                yield Difference(what, (merge.product,))
    yield from reordered(a, b)


def reordered(a: MergeModel, b: MergeModel) -> Iterator[Difference]:
    """Yield competing merges that both sides have in another order.

    For x+v and v+y the text is that of x, v and y: the side that ranks x+v better merges it first.
    Of the merges that overtake one merge, only the one that comes last on the other side is given.
    """
    place = {pair: index for index, pair in enumerate(b.by_pair)}
    as_left: Latest = {}
    as_right: Latest = {}
    for merge in a.firing.merges:
        here = place.get((merge.left, merge.right))
        if here is None:
            continue
        for other in _overtaken(as_right, merge.left, here):
            yield _swap((other.left, merge.left, merge.right))
        for other in _overtaken(as_left, merge.right, here):
            yield _swap((merge.left, merge.right, other.right))
        _note(as_left, merge.left, here, merge)
        _note(as_right, merge.right, here, merge)


def _overtaken(latest: Latest, piece: Surface, here: int) -> Iterator[Merge]:
    """Yield the merge at this piece that is earlier on one side and later on the other."""
    there, merge = latest.get(piece, (-1, None))
    if merge is not None and there > here:
        yield merge


def _note(latest: Latest, piece: Surface, here: int, merge: Merge) -> None:
    if piece not in latest or latest[piece][0] < here:
        latest[piece] = here, merge


def _swap(pieces: tuple[Surface, Surface, Surface]) -> Difference:
    x, v, y = pieces
    return Difference(f"{x!r} + {v!r} and {v!r} + {y!r} come in another order", pieces)
