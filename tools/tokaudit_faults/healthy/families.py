"""Families of tokenizers by name, each a real one cut to its first entries."""

from __future__ import annotations

from tokaudit_faults.healthy import byte_level, gguf, sentencepiece_bpe, unigram, wordpiece

OUTSIDE = "Unigram"  # of the outside material, so not in pages that anybody is to make again
FAMILIES = {
    family.name: family
    for family in (
        byte_level.FAMILY,
        gguf.FAMILY,
        sentencepiece_bpe.FAMILY,
        unigram.FAMILY,
        wordpiece.FAMILY,
    )
}
OF_PACKAGES = [name for name in FAMILIES if name != OUTSIDE]
