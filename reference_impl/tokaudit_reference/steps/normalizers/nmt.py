"""Nmt: control characters removed, and white space of all kinds as spaces.

Source: `Nmt` in Hugging Face's tokenizers, after the rule `nmt_nfkc` of SentencePiece.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting, character_wise
from tokaudit_reference.steps.step import Effects

NMT_REMOVED = frozenset(map(chr, (*range(1, 9), 0xB, *range(0xE, 0x20), 0x7F, 0x8F, 0x9F)))
NMT_SPACES = frozenset("\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd")
NMT = {ord(c): "" for c in NMT_REMOVED} | {ord(c): " " for c in NMT_SPACES}


@dataclass(frozen=True)
class Nmt(NormalizerStep):
    """The Nmt step, which has no options."""

    type = "Nmt"

    def build(self) -> Rewriting:
        """Rewrite each character by itself."""
        return character_wise(lambda c: NMT.get(ord(c), c), lambda text: text.translate(NMT))

    @property
    def effects(self) -> Effects:
        """State that the step loses control characters and the kind of white space."""
        return Effects(loses="drops control characters", character_wise=True)
