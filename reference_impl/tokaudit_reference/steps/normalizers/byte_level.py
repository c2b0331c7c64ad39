"""ByteLevel as a normalizer: the UTF-8 bytes of a text as characters of GPT-2's alphabet."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting, character_wise
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.bytes_alphabet import to_characters


def to_bytes(text: str) -> str:
    """The UTF-8 bytes of a text in GPT-2's alphabet."""
    return to_characters(text.encode("utf-8", "replace"))


@dataclass(frozen=True)
class ByteLevel(NormalizerStep):
    """The ByteLevel step, which has no options."""

    type = "ByteLevel"

    def build(self) -> Rewriting:
        """Rewrite each character by itself."""
        return character_wise(to_bytes, to_bytes)

    @property
    def effects(self) -> Effects:
        """State that the step writes bytes."""
        return Effects(character_wise=True, writes_bytes=True, stays_in_alphabet=True)
