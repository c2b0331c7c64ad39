"""Finds the merges that can ever fire, and the tokens that no sequence of merges makes.

Each token is spelled in its smallest pieces and encoded with the full table and no whole-piece
lookup.  If that gives the token back, its last merge is effective; else it is unmergeable.  The
effective merges in rank order say what a table does whatever format lists it: a SentencePiece
conversion lists 58,980 merges for 32,000 tokens.  What a split pattern forbids is not asked here.

What is never an answer is still a step on the way to one: where products are ranked, unused pieces
are merged, and those that a class has no id for.  M2M-100 makes `▁http` of `▁htt`, which its
vocab.json does not list.

Encoding every token from its symbols takes long, so where merges are listed most are settled by
their last merge alone: see `_settled`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tokaudit_reference.models.bpe.merge import Last as Made
from tokaudit_reference.models.bpe.merge import Pair, Ranked, merge_places
from tokaudit_reference.models.bpe.merge_table import merge_table
from tokaudit_reference.spec import Piece, Priority, TokenizerSpec, TokenType

WHOLE = (TokenType.ORDINARY, TokenType.WORD_END)
Last = tuple[float, int, int]  # the rank of a token's last merge, and its two parts
SYMBOL: Last = (-1, -1, -1)  # of a token that is a symbol itself, so that no merge makes it


@dataclass(frozen=True)
class EffectiveMerges:
    """The merges that fire, as (left, right, product) ids in rank order; ids that none makes.

    A merge of a part that has no id cannot be written so, and is left out.
    """

    merges: tuple[tuple[int, int, int], ...]
    unmergeable: tuple[int, ...]


def effective_merges(spec: TokenizerSpec) -> EffectiveMerges:
    """The effective merges of a BPE spec.

    >>> from tokaudit_reference.spec import ModelType, Piece
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab", "ba"])}
    >>> effective_merges(TokenizerSpec(ModelType.BPE, pieces, merges=(("a", "b"),)))
    EffectiveMerges(merges=((0, 1, 2),), unmergeable=(3,))
    """
    whole = with_steps(spec)
    ids, table = whole.ids_by_surface, merge_table(whole)
    settled = _settled(whole, ids, table)
    found: list[tuple[float, tuple[int, int, int]]] = []
    unmergeable: list[int] = []
    symbols: set[int] = set()
    for id, piece in spec.each_entry():
        if piece.token_type not in WHOLE:
            continue
        if id in settled:
            rank, left, right = settled[id]
            found.append((rank, (left, right, id)))
            continue
        spelled = spellings(piece.value, piece.token_type, spec, ids)
        if [id] in spelled:
            symbols.add(id)
            continue
        made = [last for last in (_last_merge(each, table) for each in spelled) if last]
        last = next((last for last in made if last[1][2] == id), None)
        if last is None:
            unmergeable.append(id)
        else:
            found.append(last)
    found = sorted(set(found)) if spec.sharing else sorted(found)
    merges = tuple(triple for _, triple in found if min(triple) >= 0)
    if spec.sharing:  # an id comes out where any of its entries does
        symbols |= {product for _, _, product in merges}
        unmergeable = [id for id in dict.fromkeys(unmergeable) if id not in symbols]
    return EffectiveMerges(merges, tuple(unmergeable))


def with_steps(spec: TokenizerSpec) -> TokenizerSpec:
    """Add every intermediate product to a spec; a product without an id gets a negative one.

    Where products are ranked, two neighbours need not be tokens themselves: a character without
    an entry, an unused piece and an unlisted one are merged as any other.
    """
    if spec.priority is not Priority.PRODUCT:
        return spec
    unused = {id: p.value for id, p in spec.pieces.items() if p.token_type is TokenType.UNUSED}
    letters = {p.value[at : at + 1] for p in spec.every_piece() for at in range(len(p.value))}
    without_id = [*spec.unlisted, *sorted(letters - spec.ids_by_surface.keys(), key=repr)]
    if not without_id and not unused:
        return spec
    steps = {-1 - place: value for place, value in enumerate(dict.fromkeys(without_id))}
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in (unused | steps).items()}
    ranks = {id: -spec.unlisted.get(str(value), 0) for id, value in steps.items()}
    return replace(
        spec, pieces={**spec.pieces, **pieces}, product_ranks={**spec.product_ranks, **ranks}
    )


def _settled(
    spec: TokenizerSpec, ids: Mapping[bytes | str, int], table: Mapping[Pair, Ranked]
) -> dict[int, Last]:
    """Find the tokens that are made for certain, with the last merge of each, unencoded.

    A token made of two is settled when both are, and nothing merges across the seam between them
    before they are whole.  A token is only built upon if its merges come in the order of their
    ranks, which is how nearly all tables are; what is not settled here is encoded.
    """
    settled: dict[int, Last] = {}
    if spec.continuing_subword_prefix or spec.end_of_word_suffix or spec.sharing:
        return settled  # the symbols of a token must be those of its parts, one after the other
    known = {id: SYMBOL for value, id in ids.items() if len(value) == 1}
    listed = spec.priority is Priority.PAIR
    for (left, right), (rank, product) in table.items() if listed else _ways(spec, table, settled):
        if product in known:  # most merges, where a table lists each way to make a token
            continue
        a, b = known.get(left), known.get(right)
        if a is None or b is None:
            continue
        if stay_apart(left, right, known, table):
            settled[product] = rank, left, right
            if rank >= a[0] and rank >= b[0]:
                known[product] = rank, left, right
    return settled


def _ways(
    spec: TokenizerSpec, table: Mapping[Pair, Ranked], settled: Mapping[int, Last]
) -> Iterator[tuple[Pair, Ranked]]:
    """Yield the pairs that make each token until it is settled, for ranked products."""
    ids, ranks = spec.ids_by_surface, spec.product_ranks
    for id in sorted(spec.pieces.keys() & ranks, key=ranks.__getitem__):
        value = spec.pieces[id].value
        for at in range(1, len(value)):
            left, right = ids.get(value[:at]), ids.get(value[at:])
            if left is None or right is None:
                continue
            made = table.get((left, right))
            if made is not None and made[1] == id:
                yield (left, right), made
            if id in settled:
                break


def stay_apart(
    left: int, right: int, known: Mapping[int, Last], table: Mapping[Pair, Ranked]
) -> bool:
    """Return whether nothing merges across the seam of two tokens while each is being made.

    Goes back in time: takes the later of the two tokens' last merges apart, of equals the right
    one, which was made after the left.  Until then what is left at the seam were neighbours, and
    a better rank would have joined them; an equal one too, but only to the left of the other.
    """
    get = table.get
    (rank, _, inner), (other_rank, other_inner, _) = known[left], known[right]
    while True:
        if rank > other_rank:
            across = get((inner, right))
            if across is not None and across[0] < rank:
                return False
            left = inner
            rank, _, inner = known[left]
        elif other_rank > SYMBOL[0]:
            across = get((left, other_inner))
            if across is not None and across[0] <= other_rank:
                return False
            right = other_inner
            other_rank, other_inner, _ = known[right]
        else:
            return True


def spellings(
    value: bytes | str, kind: TokenType, spec: TokenizerSpec, ids: Mapping[bytes | str, int]
) -> list[list[int | None]]:
    """Spell a token in symbols: at the start of a word, and if allowed as a continuation."""
    prefix, suffix = spec.continuing_subword_prefix, spec.end_of_word_suffix
    parts: list[bytes | str] = [value[i : i + 1] for i in range(len(value))]
    written = [parts]
    if prefix and isinstance(value, str) and value:
        written = [[value[0], *(prefix + part for part in value[1:])]]
        if len(value) > len(prefix) and value.startswith(prefix):
            written.append([prefix + part for part in value.removeprefix(prefix)])
    for parts in written:
        if kind is TokenType.WORD_END and parts:
            end = parts[-1]
            parts[-1] = end + suffix.encode() if isinstance(end, bytes) else end + suffix
    return [[ids.get(part) for part in parts] for parts in written]


def _last_merge(
    symbols: list[int | None], table: Mapping[Pair, Ranked]
) -> tuple[float, tuple[int, int, int]] | None:
    """The merge that leaves one symbol, with its rank; None when several are left."""
    if None in symbols:
        return None
    last: list[Made] = []
    left = merge_places(symbols, table, last)  # type: ignore[arg-type]
    return last[0] if last and left.count(None) == len(left) - 1 else None
