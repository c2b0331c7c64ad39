"""Pre-tokenizers: a text to the pieces of text that the model sees one at a time."""

from __future__ import annotations

from tokaudit_reference.steps.component import Component
from tokaudit_reference.steps.pre_tokenizers.byte_level import bytes_written
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep
from tokaudit_reference.steps.step import readable
from tokaudit_reference.text.alignment import AlignedText


class PreTokenizer:
    """The steps of a pre-tokenizer component, in order."""

    def __init__(self, steps: list[Cutting]) -> None:
        self.steps = tuple(steps)

    def __call__(self, text: str, first: bool) -> list[str]:
        """Cut a text into pieces, none empty; `first`: it begins where the original does."""
        if not text:
            return []
        pieces = [text]
        for step in self.steps:
            found = [*step.pieces(pieces[0], first)]
            for piece in pieces[1:]:
                found += step.pieces(piece, False)
            pieces = list(filter(None, found))
            if not pieces:
                return []
        return pieces

    def aligned(self, text: AlignedText) -> list[AlignedText]:
        """Cut a text into pieces, with the origin of each character."""
        pieces = [text] if text.text else []
        for step in self.steps:
            pieces = [new for piece in pieces for new in _cut(step, piece)]
        return pieces


def _cut(step: Cutting, text: AlignedText) -> list[AlignedText]:
    edited = text.edited(step.edits(text.text, text.origin == 0))
    return [edited.slice(start, end) for start, end in step.spans(edited.text) if start < end]


def pre_tokenizer(component: Component) -> PreTokenizer:
    """Return the pre-tokenizer of a component; raises `Unsupported` for an unknown step.

    >>> split = pre_tokenizer(Component({"type": "WhitespaceSplit"}))
    >>> split(" a b ", True), [piece.spans for piece in split.aligned(AlignedText.of(" a b "))]
    (['a', 'b'], [((1, 2),), ((3, 4),)])
    """
    steps: list[Cutting] = []
    for step in readable(component.at("pre_tokenizer").steps, PreTokenizerStep):
        steps.append(step.build())
        if step.effects.writes_bytes:
            steps.append(bytes_written())
    return PreTokenizer(steps)
