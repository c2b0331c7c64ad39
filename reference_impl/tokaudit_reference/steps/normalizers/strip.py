"""Strip: a text without the white space at its ends."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Edit, edit
from tokaudit_reference.text.white_space import WHITE_SPACE, WHITE_SPACE_TABLE


@dataclass(frozen=True)
class Strip(NormalizerStep):
    """The Strip step; each end has its switch."""

    type = "Strip"
    strip_left: bool = True
    strip_right: bool = True

    def build(self) -> Rewriting:
        """Rewrite a text without white space at its ends."""
        left, right = self.strip_left, self.strip_right

        def apply(text: str) -> str:
            text = text.lstrip(WHITE_SPACE) if left else text
            return text.rstrip(WHITE_SPACE) if right else text

        def edits(text: str) -> list[Edit]:
            start = len(text) - len(text.lstrip(WHITE_SPACE)) if left else 0
            end = len(text.rstrip(WHITE_SPACE)) if right else len(text)
            if start >= end:
                return [edit(0, len(text), "")] if start or right else []
            return [edit(0, start, ""), edit(end, len(text), "")]

        return Rewriting(apply, edits)

    @property
    def effects(self) -> Effects:
        """State that the step only removes text."""
        return Effects(
            loses="drops white space at the ends" if self.strip_left or self.strip_right else "",
            stays_in_alphabet=True,
            tables=frozenset({WHITE_SPACE_TABLE}),
        )

    def acts_as(self, *, ids_only: bool = False) -> Strip | None:
        """Return None if both switches are off."""
        return self if self.strip_left or self.strip_right else None
