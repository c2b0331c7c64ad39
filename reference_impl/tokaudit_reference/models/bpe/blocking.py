"""Finds the merge that keeps a token from being made: the first across the seam it needs.

A token is made of two parts by its own merge.  On the way there, other merges fire in the order of
their ranks; the first whose product spans the seam takes a symbol that one of the
parts needed, and the token cannot come out any more.  Where the seam of the token itself is never
crossed, one of the two parts is not made, and the same question applies to it.

A merge that makes a part may come after the merge that needs it: then the token waits for the last
of all merges that it is made by, and others fire meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tokaudit_reference.models.bpe.effective import spellings, with_steps
from tokaudit_reference.models.bpe.merge import Pair, Ranked
from tokaudit_reference.models.bpe.merge_table import merge_table
from tokaudit_reference.spec import Priority, TokenizerSpec

MOST_SYMBOLS = 128  # of a token whose merges are followed one by one
DEEPEST = 32  # parts of parts

Surface = bytes | str
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FiredMerge:
    """A merge that was made: its rank, and the symbols in its two parts."""

    rank: float
    start: int
    seam: int
    end: int


@dataclass(frozen=True, slots=True)
class Blocked:
    """The reason why a token does not come out of its symbols.

    `wanted` are the parts that its merge joins, None where no merge makes it; `taken` are the two
    parts of the merge that comes before and crosses the seam, None where none does; `left` is what
    the symbols become.  `late` is the rank of a merge that makes one of its parts, or a part of
    these, and comes after the token's own; None where none does.
    """

    wanted: tuple[Surface, Surface] | None
    rank: float | None
    taken: tuple[Surface, Surface] | None
    taken_rank: float | None
    left: tuple[Surface, ...]
    late: float | None = None


def blocked(spec: TokenizerSpec, tokens: Iterable[int]) -> dict[int, Blocked]:
    """Find the reason why each token is not made; tokens of very many symbols are left out.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> values = ["a", "b", "c", "bc", "ab", "abc"]
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(values)}
    >>> merges = (("b", "c"), ("a", "b"), ("ab", "c"))
    >>> found = blocked(TokenizerSpec(ModelType.BPE, pieces, merges=merges), [5])[5]
    >>> found.wanted, found.rank, found.taken, found.taken_rank, found.left
    (('ab', 'c'), 2, ('b', 'c'), 0, ('a', 'bc'))
    """
    whole = with_steps(spec)
    ids, table = whole.ids_by_surface, merge_table(whole)
    makers = _makers(table) if spec.priority is not Priority.PRODUCT else {}
    found = {}
    for id in tokens:
        piece = spec.pieces[id]
        symbols = spellings(piece.value, piece.token_type, spec, ids)[0]
        if len(symbols) <= MOST_SYMBOLS and None not in symbols:
            asked = _Asked(whole, table, makers, [each for each in symbols if each is not None])
            found[id] = asked.why(id)
    return found


def _makers(table: Mapping[Pair, Ranked]) -> dict[int, tuple[float, int, int]]:
    """The merge of the best rank that makes each token."""
    found: dict[int, tuple[float, int, int]] = {}
    for (left, right), (rank, product) in table.items():
        if product not in found or rank < found[product][0]:
            found[product] = rank, left, right
    return found


@dataclass(frozen=True)
class _Asked:
    spec: TokenizerSpec
    table: Mapping[Pair, Ranked]
    makers: Mapping[int, tuple[float, int, int]]
    symbols: Sequence[int]

    def why(self, id: int) -> Blocked:
        """Follow the merges, then look for the seam that one of them crossed."""
        fired, left = follow(self.symbols, self.table)
        rest = tuple(self._surface(each) for each in left)
        wanted = self._maker(id)
        if wanted is None:
            return Blocked(None, None, None, None, rest)
        rank, a, b = wanted
        crossing = self._crossing(id, (0, len(self.symbols)), fired, DEEPEST)
        parts = (self._surface(a), self._surface(b))
        last = self._last(id, DEEPEST)
        late = None if last is None or last <= rank else last
        if crossing is None:
            return Blocked(parts, rank, None, None, rest, late)
        taken = (self._text(crossing.start, crossing.seam), self._text(crossing.seam, crossing.end))
        return Blocked(parts, rank, taken, crossing.rank, rest, late)

    def _last(self, id: int, deep: int) -> float | None:
        """Return the rank of the last of all merges that make a token."""
        made = self.makers.get(id) if deep else None
        if made is None:
            return None
        rank, a, b = made
        before = (self._last(part, deep - 1) for part in (a, b))
        return max([rank, *(each for each in before if each is not None)])

    def _maker(self, id: int) -> tuple[float, int, int] | None:
        """The merge that makes a token: as listed, or of two tokens whose product it is."""
        if self.spec.priority is not Priority.PRODUCT:
            return self.makers.get(id)
        ids, value = self.spec.ids_by_surface, self.spec.pieces[id].value
        cuts = ((ids.get(value[:at]), ids.get(value[at:])) for at in range(1, len(value)))
        ranks = self.spec.product_ranks
        both = [(a, b) for a, b in cuts if a is not None and b is not None]
        if not both:
            return None
        left, right = min(both, key=lambda pair: max(ranks.get(part, 0) for part in pair))
        return ranks.get(id, id), left, right

    def _crossing(
        self, id: int, span: Span, fired: Sequence[FiredMerge], deep: int
    ) -> FiredMerge | None:
        """Return the first merge across the seam of a token, or of its part that is not made."""
        wanted = self._maker(id)
        if wanted is None or not deep:
            return None
        start, end = span
        _, a, b = wanted
        seam = start + self._length(a, start, end)
        for each in fired:
            reaches = each.start < seam < each.end
            if reaches and (each.start, each.seam, each.end) != (start, seam, end):
                return each
        for part, own in ((a, (start, seam)), (b, (seam, end))):
            made = any((each.start, each.end) == own for each in fired) or own[1] - own[0] == 1
            if not made:
                return self._crossing(part, own, fired, deep - 1)
        return None

    def _length(self, part: int, start: int, end: int) -> int:
        """Return the number of symbols in the part that begins at one."""
        size = len(self._surface(part))
        covered = 0
        for place in range(start, end):
            covered += len(self._surface(self.symbols[place]))
            if covered >= size:
                return place + 1 - start
        return end - start

    def _surface(self, id: int) -> Surface:
        return self.spec.pieces[id].value

    def _text(self, start: int, end: int) -> Surface:
        values = [self._surface(id) for id in self.symbols[start:end]]
        empty: Surface = b"" if isinstance(values[0], bytes) else ""
        return empty.join(values)  # type: ignore[arg-type]


def follow(
    symbols: Sequence[int], table: Mapping[Pair, Ranked]
) -> tuple[list[FiredMerge], list[int]]:
    """Make the textbook's merges; return them in order, and the symbols that remain.

    >>> follow([1, 2, 3], {(1, 2): (0, 9), (9, 3): (1, 10)})
    ([FiredMerge(rank=0, start=0, seam=1, end=2), FiredMerge(rank=1, start=0, seam=2, end=3)], [10])
    """
    word, ends = list(symbols), list(range(1, len(symbols) + 1))
    fired: list[FiredMerge] = []
    while (best := min(_offers(word, table), default=None)) is not None:
        rank, place, product = best
        start = ends[place - 1] if place else 0
        fired.append(FiredMerge(rank, start, ends[place], ends[place + 1]))
        word[place : place + 2] = [product]
        ends[place : place + 2] = [ends[place + 1]]
    return fired, word


def _offers(word: Sequence[int], table: Mapping[Pair, Ranked]) -> Iterator[tuple[float, int, int]]:
    for place, pair in enumerate(pairwise(word)):
        entry = table.get(pair)
        if entry is not None:
            yield entry[0], place, entry[1]
