"""The names that `tokenizer.json` has for models."""

from __future__ import annotations

from tokaudit_reference.spec import Family

FAMILIES = {
    "BPE": Family.BPE,
    "WordPiece": Family.WORDPIECE,
    "Unigram": Family.UNIGRAM,
    "WordLevel": Family.WORDLEVEL,
}
NAMES = {family: name for name, family in FAMILIES.items()}
