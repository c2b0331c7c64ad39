"""Runs a text on both reference models, so that nothing is claimed that was not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest

from tokaudit.comparison.merges.model import MergeModel
from tokaudit.comparison.merges.verdict import Witness
from tokaudit_reference.models.bpe.merge_steps import MergeStep, MergeSteps
from tokaudit_reference.models.bpe.merge_table import Surface
from tokaudit_reference.tokenizer import ReferenceTokenizer

NOTHING = "no merge"
Cut = Callable[[str], Iterable[str]]


class Runner:
    """Gives both models the same pre-tokens, so that only the models can make a difference."""

    def __init__(self, first: MergeModel, second: MergeModel) -> None:
        self._specs = first.spec, second.spec
        self._encode = first.encode, second.encode
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
        spec, encode = self._specs[side], self._encode[side]
        return tuple(spec.surface(spec.pieces[id]) for id in encode(pre_token))

    def _cause(self, pre_token: str) -> str:
        """The first step at which the merges of the two part."""
        traces = [MergeSteps(spec).of(pre_token) for spec in self._specs]
        for a, b in zip_longest(*([_shown(step) for step in trace] for trace in traces)):
            if a != b:
                return f"{a or NOTHING} on the first side, {b or NOTHING} on the second"
        return "the merges are the same; what is spelled or taken whole differs"


def _shown(step: MergeStep) -> str:
    return f"{step.left!r} + {step.right!r}"


def _cut_of(first: MergeModel, second: MergeModel) -> tuple[Cut, str]:
    for side, name in ((first, "the first side"), (second, "the second side")):
        if side.tokenizer is not None:
            return _pre_tokens(side.tokenizer), name
    return lambda text: [text], "nobody: neither side's steps can be run"


def _pre_tokens(tokenizer: ReferenceTokenizer) -> Cut:
    def cut(text: str) -> Iterable[str]:
        pipeline = tokenizer.pipeline
        for segment in tokenizer.segments(text):
            if segment.id is None:
                yield from map(pipeline.model_input, pipeline.aligned(segment.text))

    return cut
