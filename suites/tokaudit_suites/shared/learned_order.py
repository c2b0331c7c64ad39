"""The order in which a trainer learned the tokens, as merges and ids show it.

Several checks look at it from different sides, so it is worked out once: `LearnedOrder` is a need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from tokaudit.plugin import need, without_files
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import ModelType, Priority, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_suites.shared.ascending import ENOUGH, FEW, few_exceptions, out_of_order
from tokaudit_suites.shared.vocab_entries import Value, entries, looks_like_marker, ordinary

LATE = 0.35  # parts for each merge; published conversions have 0.22 at most, shuffled ones 0.5
FEW_UNMADE = 0.02  # of the merges, and
MOST_MARKED = 100  # such tokens: an alphabet that is written with marks looks like that too
FEW_ROOTS = 20  # tokens without a merge, of which those are named that are built on them
LEARNED = frozenset({TokenType.ORDINARY, TokenType.WORD_END})


@dataclass(frozen=True)
class LearnedOrder:
    """The order of learning, as merges and ids of one spec show it.

    Each table is built when it is first asked for, and kept.
    """

    spec: TokenizerSpec

    @cached_property
    def ids(self) -> Mapping[Value, int]:
        """Return the id of each entry of the model, in the file's spelling.

        Where an added token is laid over a second entry for the same bytes, the learned one counts.
        """
        known = self.spec.ids_by_surface
        if len(known) == len(self.spec.pieces) + len(self.spec.sharing):  # each is spelled once
            return known
        added = {token.id for token in self.spec.added_tokens} & self.spec.pieces.keys()
        found: dict[Value, int] = {}
        for id, _, value in entries(self.spec):
            if id not in added or value not in found:
                found[value] = id
        return found

    @cached_property
    def products(self) -> tuple[Value, ...]:
        """Return the product of each merge, in the order of merges and the spelling of the spec."""
        merges = self.spec.merges or ()
        known = {value: value for value in self.ids}
        if not self.spec.continuing_subword_prefix:
            with suppress(TypeError):  # a part that is text, among bytes
                made = [left + right for left, right in merges]  # type: ignore[operator]
                return tuple(map(known.get, made, made))
        made = [product(self.spec, *pair) for pair in merges]
        return tuple(map(known.get, made, made))

    @cached_property
    def first_makers(self) -> dict[Value, int]:
        """Map each merged token to the index of the first merge that builds it."""
        made: dict[Value, int] = {}
        for index, value in enumerate(self.products):
            made.setdefault(value, index)
        return made

    @cached_property
    def learned(self) -> list[int]:
        """Return the ids of merged tokens, in the order of the merges.

        Runs of one character are left out: trainers that take no white space into their pieces
        have them added afterwards, with ids of the beginning and ranks of the end.  So are special
        tokens: they have their ids before any text is read, though a text may spell them out.
        """
        if self.spec.model_type is not ModelType.BPE:
            return []
        special = {token.id for token in self.spec.added_tokens if token.special}
        made = (self.ids[made] for made in self.first_makers if made in self.ids and _varied(made))
        return [id for id in made if id not in special]

    @cached_property
    def exceptions(self) -> list[int] | None:
        """Return positions in `learned` out of the order of ids; None without such an order."""
        return few_exceptions(self.learned)

    @cached_property
    def is_record(self) -> bool:
        """Return whether the merges are a long trainer's record, with one for each token.

        Conversions that list every way to split a token are none, and keep no order of learning.
        """
        spec = self.spec
        if spec.merges is None or spec.model_type is not ModelType.BPE:
            return False
        if spec.priority is not Priority.PAIR:
            return False
        return ENOUGH <= len(spec.merges) <= len(self.first_makers) / 0.99

    @cached_property
    def is_shuffled(self) -> bool:
        """Return whether a conversion that lists every split of a token is unordered.

        It goes by the ids of the products, with some parts made later than what they are part of.
        """
        made, merges = self.first_makers, self.spec.merges or ()
        if self.is_record or self.exceptions is not None or len(self.learned) < ENOUGH:
            return False
        late = sum(made.get(part, -1) > at for at, pair in enumerate(merges) for part in pair)
        return len(merges) > len(made) / 0.99 and late > LATE * len(merges)

    @cached_property
    def late_parts(self) -> list[tuple[int, int]]:
        """Return the merges that are listed before the merge that builds one of their parts.

        Pairs (index, index of the merge that comes too late); empty unless the list is a record.
        """
        if not self.is_record:
            return []
        made = self.first_makers
        return [
            (index, made[part])
            for index, pair in enumerate(self.spec.merges or ())
            for part in pair
            if made.get(part, -1) > index
        ]

    @cached_property
    def moved_merges(self) -> list[int]:
        """Return ids out of the order of merges, if the file lists its entries by id.

        Whoever exchanges ids in a file leaves its entries in the old order; where they are in
        order, the merges were exchanged.  Empty where the entries are in no order that could tell.
        """
        if self.spec.merges is None or out_of_order(list(self.spec.pieces)):
            return []
        return [self.learned[position] for position in self.exceptions or ()]

    @cached_property
    def missing_merges(self) -> dict[int, Value]:
        """Return learned tokens without a merge, if nearly every other one has one.

        Ids follow the order of the merges, so a token between two learned ones was learned too:
        its merge was deleted.  Empty where the vocabulary does not keep that order.
        """
        if self.exceptions is None:
            return {}
        first, last = self._first_learned, max(self.learned)
        orphans = {id: value for id, value in self._orphans.items() if first <= id < last}
        return orphans if len(orphans) <= FEW * len(self.learned) else {}

    @cached_property
    def _first_learned(self) -> int:
        """Return the first id that a merge builds, or an earlier one that merges build on.

        Of a list without its first lines these are the tokens that the lines made.
        """
        first = min(self.learned)
        parts = {part for pair in self.spec.merges or () for part in pair} if self.is_record else ()
        while self._orphans.get(first - 1) in parts:
            first -= 1
        return first

    @cached_property
    def cut_off(self) -> dict[int, Value]:
        """Return unmerged tokens after the last learned one, if they are many.

        A few such tokens are control tokens that the loader adds; a long tail was learned.  Where
        there are no merges at all, all that have several symbols were.
        """
        if self.spec.merges == ():
            return self._orphans if len(self._orphans) >= ENOUGH else {}
        if self.exceptions is None:
            return {}
        last = max(self.learned)
        tail = {id: value for id, value in self._orphans.items() if id > last}
        return tail if len(tail) >= ENOUGH else {}

    @cached_property
    def unmade_parts(self) -> dict[int, Value]:
        """Return unmerged tokens of several symbols that merges build on, if they are many.

        No trainer writes such a merge, as it joins what it has made; a list that lost lines has one
        for each token that others were built on.
        """
        if not self.is_record:
            return {}
        parts = {part for pair in self.spec.merges or () for part in pair}
        found = {id: value for id, value in self._orphans.items() if value in parts}
        most = max(MOST_MARKED, FEW_UNMADE * len(self.first_makers))
        return found if len(found) > most else {}

    @cached_property
    def mostly_unmade(self) -> dict[int, Value]:
        """Return unmerged tokens if they are many, as in a list that lost lines.

        Tables that are asked for whole pieces first have a merge for every token all the same.
        """
        enough = max(ENOUGH, FEW * len(self.first_makers))
        return self._orphans if len(self._orphans) > enough else {}

    @cached_property
    def _orphans(self) -> dict[int, Value]:
        """Return ordinary multi-symbol entries without a merge that are not markers.

        Those are put there by hand; some vocabularies have hundreds of them among the learned ones.
        """
        made, added = self.first_makers, {token.id for token in self.spec.added_tokens}
        return {
            id: value
            for value, id in self.ids.items()
            if id not in added
            and value not in made
            and not looks_like_marker(value)
            and self.spec.pieces[id].token_type in LEARNED
            and len(self.spec.pieces[id].value) > 1
        }


@dataclass(frozen=True)
class LostTokens:
    """Learned tokens that the merges no longer build, by id."""

    by_id: dict[int, Value]


@without_files
@need
def learned_order(spec: TokenizerSpec) -> LearnedOrder:
    """Return the order of learning of the subject's own tokenizer."""
    return LearnedOrder(spec)


@without_files
@need
def lost_tokens(order: LearnedOrder, effective: EffectiveMerges) -> LostTokens:
    """Return learned tokens without a merge, then tokens built on them.

    Only where the ids keep the order of the merges: a token among the learned ones was learned.
    """
    lost, learned = dict(order.missing_merges), order.learned
    lost |= _built_on(order, effective, [*lost.values()])
    ordered = order.exceptions == []
    if not ordered or len(effective.unmergeable) > FEW * len(learned):
        return LostTokens(lost)
    spec, first, last = order.spec, min(learned), max(learned)
    usable = {id for id, piece in ordinary(spec) if len(set(piece.value)) > 1}
    for id in effective.unmergeable:
        value = spec.surface(spec.pieces[id])
        inside = id in usable and first <= id <= last
        if inside and not has_run(value) and not looks_like_marker(value):
            lost.setdefault(id, value)
    return LostTokens(lost)


def _built_on(
    order: LearnedOrder, effective: EffectiveMerges, roots: Sequence[Value]
) -> dict[int, Value]:
    """Return unbuildable tokens that contain an unmerged one, if there are few of these."""
    if not roots or len(roots) > FEW_ROOTS:
        return {}
    spec = order.spec
    usable = {id for id, _ in ordinary(spec)}
    stuck = {id: spec.surface(spec.pieces[id]) for id in effective.unmergeable if id in usable}
    inner = [spec.surface(spec.pieces[order.ids[root]]) for root in roots]
    return {
        id: value
        for id, value in stuck.items()
        if any(isinstance(value, type(root)) and root in value for root in inner)  # type: ignore[operator]
    }


def _varied(value: Value) -> bool:
    return len(set(value)) > 1


def has_run(value: Value) -> bool:
    """Return whether one symbol occurs three times in a row.

    How such a token is made depends on how its trainer counts pairs that overlap, so a published
    table may well be without the way that leads there: Gemma 4 has four of them.

    >>> has_run("\u2581YYYY"), has_run(b"letter")
    (True, False)
    """
    return any(a == b == c for a, b, c in zip(value, value[1:], value[2:], strict=False))


def product(spec: TokenizerSpec, left: Value, right: Value) -> Value:
    """Return the product of two parts in the file's spelling.

    A part in characters is one that the alphabet of bytes cannot spell, and so is what it makes.
    """
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + right.removeprefix(spec.continuing_subword_prefix.encode())
    a, b = (to_characters(part) if isinstance(part, bytes) else part for part in (left, right))
    return a + b.removeprefix(spec.continuing_subword_prefix)
