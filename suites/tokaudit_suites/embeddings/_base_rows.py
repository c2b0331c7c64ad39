"""Embedding rows of a subject and its base, matched by token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tokaudit.plugin import Base, NotApplicable, Subject, Tensor, need
from tokaudit.subject.weights import WeightHeaders, embedding_tensors, read_headers
from tokaudit.subject.weights.rows import MatrixRows, Values, is_read_whole, read_rows, values
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._uses import Uses, uses_of
from tokaudit_suites.shared.vocab_entries import IdsByText, name_of, spelled

MOST_NEW = 256  # added tokens that are looked at


@dataclass(frozen=True)
class RowPair:
    """The embeddings of both sides, with rows of the same tokens."""

    name: str
    base_name: str
    ours: Tensor
    theirs: Tensor
    own: MatrixRows
    base: MatrixRows
    ids: Mapping[int, int]  # of tokens that both have: ours, and the base's
    only_ours: frozenset[int]  # ids that the subject's template writes and the base's does not
    new: tuple[int, ...] = ()  # ids of added tokens, where the base has a row and no token

    @property
    def unique(self) -> Mapping[bytes, int]:
        """Map the base's unique, numeric rows to their ids."""
        counted = Counter(self.base.rows.values())
        return {
            row: id
            for id, row in self.base.rows.items()
            if counted[row] == 1 and values(row, self.base.dtype) is Values.USABLE
        }

    def as_without_token(self) -> list[int]:
        """Return the new ids whose row equals a base row that has no token."""
        read = (self.own.rows, self.base.rows)
        return [id for id in self.new if all(id in rows for rows in read) and _same(id, *read)]

    def found_at(self) -> Iterator[tuple[int, int, int]]:
        """Yield ids whose row equals a base row: the id, its token's base id, the row's base id."""
        unique = self.unique
        for own, theirs in self.ids.items():
            row = self.own.rows.get(own)
            if row is not None and row in unique:
                yield own, theirs, unique[row]


@need
def row_pair(spec: TokenizerSpec, subject: Subject, weights: WeightHeaders, base: Base) -> RowPair:
    """Read rows of both embeddings: all rows of small ones, the used rows of large ones."""
    ours = embedding_tensors(weights)
    theirs = embedding_tensors(read_headers(base.subject))
    if len(ours) != 1 or len(theirs) != 1:
        raise NotApplicable("the weights and those of the base do not each have one embedding")
    (name, one), (base_name, other) = next(iter(ours.items())), next(iter(theirs.items()))
    uses, base_uses = uses_of(spec, subject), uses_of(base.spec, base.subject)
    ids = _same_tokens(spec, base.spec, _looked_at(one, other, uses))
    new = _new_tokens(spec, base.spec, other.shape[0])
    own = read_rows(subject, one, [*new, *ids])
    rows = read_rows(base.subject, other, [*new, *ids, *ids.values()])
    if own is None or rows is None or own.dtype != rows.dtype or one.shape[1:] != other.shape[1:]:
        raise NotApplicable("the rows of the two embeddings cannot be compared")
    known = {ids.get(id) for id in uses.put_in}
    only = {id for id in uses.put_in if id in ids and ids[id] in known - base_uses.put_in}
    return RowPair(name, base_name, one, other, own, rows, ids, frozenset(only), new)


def _same(id: int, ours: Mapping[int, bytes], theirs: Mapping[int, bytes]) -> bool:
    return ours[id] == theirs[id]


def _new_tokens(spec: TokenizerSpec, base: TokenizerSpec, rows: int) -> tuple[int, ...]:
    """Return ids of added tokens that are new, but have a row in the base."""
    theirs = IdsByText(base)
    free = (t for t in spec.added_tokens if t.id < rows and name_of(base, t.id) is None)
    return tuple(token.id for token in free if theirs.of(token.content) is None)[:MOST_NEW]


def _looked_at(ours: Tensor, theirs: Tensor, uses: Uses) -> Iterable[int]:
    """Return the ids to read: every id if both matrices are small, else the used ones."""
    if is_read_whole(ours) and is_read_whole(theirs):
        return (*uses.looked_at, *uses.plain)
    return uses.looked_at


def _same_tokens(spec: TokenizerSpec, base: TokenizerSpec, wanted: Iterable[int]) -> dict[int, int]:
    """Map the ids of tokens that both sides have to the base's ids."""
    theirs = IdsByText(base)
    found: dict[int, int] = {}
    for id in sorted(set(wanted)):
        name = name_of(spec, id)
        there = (
            None if name is None else theirs.of(name if isinstance(name, str) else spelled(name))
        )
        if there is not None:
            found[id] = there
    return found
