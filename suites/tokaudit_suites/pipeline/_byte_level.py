"""Detect a vocabulary in the byte alphabet."""

from __future__ import annotations

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_suites.shared.vocab_entries import entries


def is_byte_level(spec: TokenizerSpec) -> bool:
    """Return whether entries are in the byte alphabet, whatever the components say.

    A large vocabulary may hold its unusual characters as letters; then words begin with ▁, or
    there are many single characters that the byte alphabet does not have.
    """
    if spec.byte_level:
        return True
    texts = [value for _, _, value in entries(spec) if isinstance(value, str)]
    single = {text for text in texts if len(text) == 1}
    unusual = {character for character in BYTE_OF if ord(character) >= 0x100}
    spaced, marked = (sum(text.startswith(mark) for text in texts) for mark in ("Ġ", "▁"))
    if len(single - set(BYTE_OF)) > len(unusual):
        return False
    return spaced > marked and len(unusual & single) > 0.8 * len(unusual)
