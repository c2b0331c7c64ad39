"""Run texts on both reference models, so that every claimed difference has been seen.

The models are run here, as merging is a table's work and has no pattern that could hold it up.
What cuts a text into pre-tokens are the steps of a tokenizer, which run in a worker: whoever
compares gives that as a function.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import zip_longest

from tokaudit.products.compare.proofs.merges.model import MergeModel
from tokaudit.products.compare.proofs.merges.verdict import Witness
from tokaudit.runtimes.protocol import Cut
from tokaudit_reference.models.bpe.merge_steps import MergeStep, MergeSteps
from tokaudit_reference.models.bpe.merge_table import Surface

NOBODY = "nobody: neither side's steps can be run"


class Runner:
    """Runs the same pre-tokens on both models, so that only the models can differ."""

    def __init__(self, first: MergeModel, second: MergeModel, cut: Cut | None = None) -> None:
        self._specs = first.spec, second.spec
        self._encode = first.encode, second.encode
        self._cut = cut or _uncut
        self.cut_by = "the steps of a side" if cut else NOBODY
        self.texts = 0

    def run(self, texts: Sequence[str]) -> Iterator[Witness]:
        """Yield a witness for each text with a pre-token on which the models differ."""
        for text, pre_tokens in zip(texts, self._cut(texts), strict=True):
            self.texts += 1
            for piece in pre_tokens or ():
                a, b = (self._pieces(side, piece) for side in (0, 1))
                if a != b:
                    yield Witness(text, piece, a, b, self._first_steps(piece), self.cut_by)
                    break

    def _pieces(self, side: int, pre_token: str) -> tuple[Surface, ...]:
        spec, encode = self._specs[side], self._encode[side]
        return tuple(spec.surface(spec.pieces[id]) for id in encode(pre_token))

    @cached_property
    def _steps(self) -> tuple[MergeSteps, MergeSteps]:
        first, second = self._specs
        return MergeSteps(first), MergeSteps(second)

    def _first_steps(self, pre_token: str) -> tuple[str, str] | None:
        """Return the first step at which the merges of the two differ."""
        traces = [steps.of(pre_token) for steps in self._steps]
        for a, b in zip_longest(*([_shown(step) for step in trace] for trace in traces)):
            if a != b:
                return a or "", b or ""
        return None


def _shown(step: MergeStep) -> str:
    return f"{step.left!r} + {step.right!r}"


def _uncut(texts: Sequence[str]) -> list[list[str]]:
    return [[text] for text in texts]
