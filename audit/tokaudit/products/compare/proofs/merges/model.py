"""Everything that the comparison of two BPE models needs of a spec, computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tokaudit.products.compare.proofs.merges.candidates import Merge, candidates, is_scored
from tokaudit.products.compare.proofs.merges.firing import Firing, firing
from tokaudit.products.compare.proofs.merges.normal_form import NormalForm, normal_form
from tokaudit.products.compare.proofs.merges.precondition import obstacle
from tokaudit.products.compare.proofs.merges.spelling import Spelling, spelling
from tokaudit_reference.models import model
from tokaudit_reference.models.bpe.merge_table import Surface
from tokaudit_reference.spec import ModelType, TokenizerSpec


@dataclass(frozen=True)
class MergeModel:
    """A BPE spec with its possible merges, those that fire, its spelling and its form.

    `obstacle` says why nothing can be proved about it; then the rest is only where to search.
    """

    spec: TokenizerSpec
    rows: tuple[Merge, ...]
    obstacle: str
    firing: Firing
    taken_whole: tuple[Surface, ...]

    @cached_property
    def form(self) -> NormalForm:
        """Return the normal form, `merges-canonical-v1` if the ranks allow it."""
        return normal_form(self.firing, self.taken_whole)

    @cached_property
    def spelling(self) -> Spelling:
        """Return how the model spells a text."""
        return spelling(self.spec)

    @cached_property
    def encode(self) -> Callable[[str], list[int]]:
        """Return the reference model's encoder of pre-tokens; raise `Unsupported` without one."""
        return model(self.spec).encode

    @cached_property
    def by_pair(self) -> dict[tuple[Surface, Surface], Merge]:
        """Return the merges that can fire, by their parts."""
        return {(merge.left, merge.right): merge for merge in self.firing.merges}

    @cached_property
    def by_product(self) -> dict[Surface, Merge]:
        """Return the merges that can fire, by product; each piece has one."""
        return {merge.product: merge for merge in self.firing.merges}

    @cached_property
    def beginning_with(self) -> dict[Surface, list[Merge]]:
        """Return the merges that can fire, by their left part."""
        return _grouped((merge.left, merge) for merge in self.firing.merges)

    @cached_property
    def ending_with(self) -> dict[Surface, list[Merge]]:
        """Return the merges that can fire, by their right part."""
        return _grouped((merge.right, merge) for merge in self.firing.merges)


def merge_model(spec: TokenizerSpec) -> MergeModel:
    """Build the model of a BPE spec; about a second for 50,000 merges.

    >>> from tokaudit_reference.spec import Piece, TokenType
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab"])}
    >>> merge_model(TokenizerSpec(ModelType.BPE, pieces, merges=(("a", "b"),))).form.merges
    1
    """
    rows = candidates(spec) if spec.model_type is ModelType.BPE else ()
    found = firing(rows, spec.end_of_word_suffix)
    return MergeModel(spec, rows, obstacle(spec, rows), found, tuple(_taken_whole(spec, found)))


def _grouped(rows: Iterable[tuple[Surface, Merge]]) -> dict[Surface, list[Merge]]:
    found: dict[Surface, list[Merge]] = {}
    for part, merge in rows:
        found.setdefault(part, []).append(merge)
    return found


def _taken_whole(spec: TokenizerSpec, found: Firing) -> Iterator[Surface]:
    """Yield the pieces that a whole lookup (`ignore_merges`) finds, but merging does not.

    The others are the same either way.  So a model with the lookup and one without it are equal if
    their merges are and there is no such piece.
    """
    if not spec.ignore_merges or is_scored(spec):
        return
    made = {merge.product for merge in found.merges}
    for value in sorted(spec.ids_by_surface, key=repr):
        if value not in made and len(value) != 1:
            yield value
