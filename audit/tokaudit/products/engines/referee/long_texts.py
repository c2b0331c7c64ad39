"""Long texts with hard places at powers of two, where engines split their work."""

from __future__ import annotations

from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit_reference.spec import TokenizerSpec

WORDS = "the cat sat on the mat and that is what it was all about, in 1987 or so. "
LARGEST = {"quick": 16, "default": 18, "full": 22}  # powers of two
SMALLEST = 8
PROSE = 20_000  # characters


def long_texts(spec: TokenizerSpec, tier: str) -> list[str]:
    """Return texts up to each power of two, with a long entry across it, and runs."""
    whole = _long_entry(spec)
    found = []
    for power in range(SMALLEST, LARGEST[tier] + 1, 2 if tier == "quick" else 1):
        size = 1 << power
        before = (WORDS * (size // len(WORDS) + 1))[: size - len(whole) // 2 - 1]
        found.append(f"{before} {whole} {WORDS}")
    return [*found, (WORDS * (PROSE // len(WORDS)))[:PROSE], "a" * 4096, "ab " * 3000]


def for_threads(spec: TokenizerSpec) -> list[str]:
    """Return several long texts at once, for engines with threads."""
    whole = _long_entry(spec)
    return [f"{WORDS * (60 * n)}{whole * n}\n{WORDS * 40}" for n in range(1, 9)] + [
        f"{whole} {n}" for n in range(64)
    ]


def _long_entry(spec: TokenizerSpec) -> str:
    """Return the longest entry that is a plain word."""
    stripped = (text.strip() for text in own_texts(spec))
    words = [text for text in stripped if text.isascii() and text.isalpha()]
    return max(words, key=lambda word: (len(word) <= 20, len(word)), default="international")
