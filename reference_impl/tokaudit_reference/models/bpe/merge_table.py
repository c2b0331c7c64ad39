"""Turns a spec's merges into a table from a pair of ids to its rank and product.

Merges that name a piece that is not there are left out: they can never fire, and a check reports
them.  This file merges nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit_reference.models.bpe.merge import Pair, Ranked
from tokaudit_reference.spec import Priority, TokenizerSpec, TokenType

Surface = bytes | str
REMEMBERED = 200_000  # pairs, of which each takes some 150 bytes
NEVER_MERGED = (
    *(TokenType.CONTROL, TokenType.UNKNOWN, TokenType.UNUSED, TokenType.BYTE),
    TokenType.LOOKED_UP,
)


def merge_table(spec: TokenizerSpec) -> Mapping[Pair, Ranked]:
    """Pair of ids -> (rank, product): from the listed pairs, or from the rank of the product."""
    if spec.priority is Priority.PRODUCT:
        return _ByProduct(spec)  # type: ignore[return-value]
    table: dict[Pair, Ranked] = {}
    ids = spec.ids_by_surface
    prefix = spec.continuing_subword_prefix
    for rank, (left, right) in enumerate(spec.merges or ()):
        a, b = ids.get(left), ids.get(right)
        if a is None or b is None:
            continue
        one_type = type(left) is type(right) and not prefix  # as nearly always
        product = ids.get(left + right if one_type else _joined(left, right, prefix))  # type: ignore[operator]
        if product is not None:
            table[a, b] = rank, product  # a pair listed twice has its last rank, as libraries do
    return table


def _joined(left: Surface, right: Surface, prefix: str) -> Surface:
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + (right.removeprefix(prefix.encode()) if prefix else right)
    if isinstance(left, str) and isinstance(right, str):
        return left + (right.removeprefix(prefix) if prefix else right)
    return b""


class _ByProduct(dict[Pair, Ranked | None]):
    """Looks a pair up by its product, once; also remembers pairs without a product.

    `get` is the dict's own way in, so a pair that was met before costs no Python.
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        super().__init__()
        usable = {id: p for id, p in spec.pieces.items() if p.token_type not in NEVER_MERGED}
        self._values = {id: piece.value for id, piece in usable.items()}
        self._ids = {value: id for id, value in self._values.items()}
        self._ranks = spec.product_ranks
        self.get = self.__getitem__  # type: ignore[assignment, method-assign]

    def __missing__(self, pair: Pair) -> Ranked | None:
        left, right = self._values.get(pair[0]), self._values.get(pair[1])
        product = None if left is None or right is None else self._ids.get(left + right)  # type: ignore[operator]
        if len(self) >= REMEMBERED:
            self.clear()
        self[pair] = found = None if product is None else (self._ranks[product], product)
        return found
