"""Encodes pre-tokens by byte-level BPE as fast as plain Python can.

Whole tokens are looked up first where the format says so; the rest is cut at the seams that no
merge can cross, and each part is merged once and remembered.  What this covers is byte-level BPE
with an id for every byte and without marks at the ends of words; for anything else `byte_encoder`
answers None, and the general way of `bpe` is taken.  It splits no text into pre-tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tokaudit_reference.models.bpe.merge import Pair, Ranked, merge_fast
from tokaudit_reference.models.bpe.merge_table import NEVER_MERGED, Surface
from tokaudit_reference.models.bpe.seams import Seams
from tokaudit_reference.models.bpe.short_merge import SHORT, PairRanks, merge_short
from tokaudit_reference.models.bpe.slice_merge import SHIFT, merge_slices
from tokaudit_reference.models.piece_cache import PieceCache
from tokaudit_reference.spec import Priority, TokenizerSpec

MergeBytes = Callable[[bytes], list[int]]
EVERY_BYTE = [bytes([byte]) for byte in range(256)]


class ByteEncoder:
    """Pre-token -> ids; `whole` holds the tokens that are taken without merging.

    >>> merge = by_pairs({(97, 98): (0, 300)}, range(256))
    >>> ByteEncoder(merge, [b"ab"], whole={b"cab": 7}).encode("abcab"), merge(b"aab")
    ([300, 99, 300], [97, 300])
    """

    def __init__(
        self, merge: MergeBytes, products: Iterable[bytes], whole: Mapping[bytes, int]
    ) -> None:
        self._merge, self._whole = merge, whole
        self._seams = Seams(products)
        self._parts = PieceCache(lambda part: merge(part.encode()))

    def encode(self, piece: str) -> list[int]:
        """The ids of one pre-token."""
        try:
            data = piece.encode()
        except UnicodeEncodeError:
            return self._merge(bytes_of(piece))
        whole = self._whole.get(data)
        if whole is not None:
            return [whole]
        if piece.isascii():
            return self._merge(data)
        found: list[int] = []
        for part in self._seams.cut(piece):
            found.extend(self._parts[part])
        return found


def bytes_of(piece: str) -> bytes:
    """Encode as UTF-8; a lone surrogate is the byte that `surrogateescape` hid in it, or `?`.

    >>> bytes_of("é\\udcc3\\ud800")
    b'\\xc3\\xa9\\xc3?'
    """
    try:
        return piece.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return b"?" if len(piece) == 1 else b"".join(map(bytes_of, piece))


def by_pairs(table: Mapping[Pair, Ranked], byte_ids: Iterable[int]) -> MergeBytes:
    """Return a merge function by the ranks of pairs; `byte_ids` has the ids of the 256 bytes."""
    id_of, pairs = list(byte_ids), PairRanks.of(table)

    def merged(data: bytes) -> list[int]:
        symbols = [id_of[byte] for byte in data]
        return merge_short(symbols, pairs) if len(data) <= SHORT else merge_fast(symbols, table)

    return merged


def by_products(ids: Mapping[bytes, int], rank_of: Mapping[int, float]) -> MergeBytes:
    """Return a merge function by the ranks of products; `ids` has every byte and product.

    >>> ids = {byte: byte[0] for byte in EVERY_BYTE} | {b"ab": 256, b"aab": 257}
    >>> by_products(ids, {256: 0.5, 257: 0.7})(b"aabab")
    [257, 256]
    """
    longer = {token: rank_of[id] for token, id in ids.items() if len(token) > 1}
    ordered = {rank: index for index, rank in enumerate(sorted(set(longer.values())))}
    ranks = {token: ordered[rank] << SHIFT for token, rank in longer.items()}
    return lambda data: [ids[part] for part in merge_slices(data, ranks)]


def byte_encoder(
    spec: TokenizerSpec, table_of_pairs: Callable[[], Mapping[Pair, Ranked]]
) -> ByteEncoder | None:
    """Return the quick encoder of a spec, or None if the general one is needed.

    The table is asked for where the ranks are those of pairs, and not built where they are not.
    """
    ids = _bytes_only(spec.ids_by_surface)
    plain = not (spec.continuing_subword_prefix or spec.end_of_word_suffix or spec.dropout)
    if not (spec.byte_level and plain and all(byte in ids for byte in EVERY_BYTE)):
        return None
    if spec.sharing:  # a merge of one entry is one of all that have its id, so seams do not show
        return None
    whole = ids if spec.ignore_merges else {}
    if spec.priority is Priority.PRODUCT:
        return _of_products(spec, whole)
    table = table_of_pairs()
    values = {id: value for value, id in ids.items()}
    products = [values[product] for _, product in table.values() if product in values]
    return ByteEncoder(by_pairs(table, [ids[byte] for byte in EVERY_BYTE]), products, whole)


def _of_products(spec: TokenizerSpec, whole: Mapping[bytes, int]) -> ByteEncoder | None:
    usable = {id: p.value for id, p in spec.pieces.items() if p.token_type not in NEVER_MERGED}
    ids = _bytes_only({value: id for id, value in usable.items()})
    if not all(byte in ids for byte in EVERY_BYTE):
        return None
    return ByteEncoder(by_products(ids, spec.product_ranks), ids, whole)


def _bytes_only(ids: Mapping[Surface, int]) -> dict[bytes, int]:
    return {value: id for value, id in ids.items() if isinstance(value, bytes)}
