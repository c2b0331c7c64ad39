"""Runs a text on both reference models, so that nothing is claimed that was not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest

from tokaudit.comparison.merges.verdict import Witness
from tokaudit_reference.models import model
from tokaudit_reference.models.bpe.merge_steps import MergeSteps
from tokaudit_reference.models.bpe.merge_table import Surface, surface
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer

Cut = Callable[[str], Iterable[str]]


class Runner:
    """Gives both models the same pre-tokens, so that only the models can make a difference."""

    def __init__(self, first: TokenizerSpec, second: TokenizerSpec) -> None:
        self._specs = first, second
        self._models = model(first), model(second)
        self._cut, self.cut_by = _cut_of(first, second)
        self.texts = 0

    def run(self, text: str) -> Witness | None:
        """The text as a witness, if the models differ on a pre-token of it."""
        self.texts += 1
        for piece in self._cut(text):
            a, b = (self._pieces(side, piece) for side in (0, 1))
            if a != b:
                return Witness(text, piece, a, b, self._cause(piece), self.cut_by)
        return None

    def _pieces(self, side: int, pre_token: str) -> tuple[Surface, ...]:
        spec, encode = self._specs[side], self._models[side].encode
        return tuple(surface(spec.pieces[id], spec) for id in encode(pre_token))

    def _cause(self, pre_token: str) -> str:
        """The first step at which the merges of the two part."""
        traces = [MergeSteps(spec).of(pre_token) for spec in self._specs]
        for steps in zip_longest(*traces):
            a, b = (step and (step.left, step.right) for step in steps)
            if a != b:
                return f"{_step(a)} on the first side, {_step(b)} on the second"
        return "the merges are the same; what is spelled or taken whole differs"


def _step(pair: tuple[str, str] | None) -> str:
    return f"{pair[0]!r} + {pair[1]!r}" if pair else "no merge"


def _cut_of(first: TokenizerSpec, second: TokenizerSpec) -> tuple[Cut, str]:
    for spec, name in ((first, "the first side"), (second, "the second side")):
        try:
            return _pre_tokens(ReferenceTokenizer(spec)), name
        except SpecError:
            continue
    return lambda text: [text], "nobody: neither side's steps can be run"


def _pre_tokens(tokenizer: ReferenceTokenizer) -> Cut:
    def cut(text: str) -> Iterable[str]:
        pipeline = tokenizer.pipeline
        for segment in tokenizer.segments(text):
            if segment.id is None:
                yield from map(pipeline.model_input, pipeline.aligned(segment.text))

    return cut

