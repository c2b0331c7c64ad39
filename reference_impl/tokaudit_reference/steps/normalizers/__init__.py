"""Normalizers: text to text, before anything is split, with the edits that keep offsets."""

from __future__ import annotations

from tokaudit_reference.steps.component import Component
from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting
from tokaudit_reference.steps.step import readable
from tokaudit_reference.text.alignment import AlignedText


class Normalizer:
    """The steps of a normalizer component, in order; an empty text stays empty."""

    def __init__(self, steps: list[Rewriting]) -> None:
        self.steps = tuple(steps)
        self._apply = [step.apply for step in steps]

    def __call__(self, text: str) -> str:
        """The normalized text."""
        for apply in self._apply:
            text = apply(text) if text else text
        return text

    def aligned(self, text: AlignedText) -> AlignedText:
        """Return the normalized text, with the origin of each character."""
        for step in self.steps:
            text = step.aligned(text) if text.text else text
        return text


def normalizer(component: Component) -> Normalizer:
    """The normalizer of a component; raises `Unsupported` for a step it does not know.

    >>> normalize = normalizer(Component({"type": "Lowercase"}))
    >>> normalize("ABC"), normalize.aligned(AlignedText.of("İ")).spans
    ('abc', ((0, 1), (0, 1)))
    """
    steps = component.at("normalizer").steps
    return Normalizer([step.build() for step in readable(steps, NormalizerStep)])
