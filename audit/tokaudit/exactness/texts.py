"""The strings that two encoders are compared on: the vocabulary, Unicode, and mixtures of all.

What is drawn depends on the tier and the seed alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.probes import CONTEXTS, own_texts
from tokaudit_reference.spec import TokenizerSpec

SURROGATES = range(0xD800, 0xE000)
PIECES = (
    *CONTEXTS,
    *" \t\n\r\u00a0\u2003\u3000\u200b\u2028\x0b\x0c\x1c\x85",  # white space of every opinion
    *("  ", "   ", "\n\n", "\r\n", " \n", "\t "),
    *"\u0301\u0323\u0308\u093c\u064b\u20e3\u200d\ufe0f\u1160\u11a8\u3099",  # marks and joiners
    *("\U0001f468\u200d\U0001f469\u200d\U0001f466", "\U0001f1e9\U0001f1ea", "\U0001f44d\U0001f3fd"),
    *("0", "7", "42", "123", "9999", "\u0663", "\u00bd", "\u2167", "\u4e09"),
    *("'s", "'LL", "\u2019t", "don't", "__init__", "->", "==", "//", "/*", "</a>", "{}", ");\n"),
    *("\u00e9", "e\u0301", "\u00df", "\u0130", "\u017f", "\u1e9e", "\ufb01", "\uff21", "\u212b"),
    *("\u0915\u094d\u0937", "\u0e01\u0e33", "\uac00", "\u1100\u1161", "\u05d0\u05b8", "\u06cc"),
    *("\u2581", "\u0120", "##", "</w>", "<0x0A>", "<s>", "[CLS]", "\ufffd", "\ufeff", "\x00"),
)


@dataclass(frozen=True, slots=True)
class Tier:
    """How many strings of each kind; 0 stands for all there are."""

    entries: int
    scalars: int
    fuzz: int


TIERS = {
    "quick": Tier(1_000, 3_000, 2_000),
    "full": Tier(0, 0, 100_000),
}


def entries(spec: TokenizerSpec, tier: Tier, seed: int) -> list[str]:
    """The vocabulary's entries as text, those that are text by themselves."""
    return _some(list(dict.fromkeys(own_texts(spec))), tier.entries, seed)


def scalars(tier: Tier, seed: int) -> list[str]:
    """Unicode's scalar values alone: all 1,112,064, or some of every plane's blocks."""
    stride = 1 if not tier.scalars else max(1, 0x110000 // tier.scalars)
    start = random.Random(seed).randrange(stride)
    return [chr(c) for c in range(start, 0x110000, stride) if c not in SURROGATES]


def between(characters: list[str]) -> list[str]:
    """The same between letters."""
    return [f"a{character}b" for character in characters]


def fuzz(spec: TokenizerSpec, tier: Tier, seed: int) -> Iterator[str]:
    """Mixtures of scripts, white space, marks, digits, code, own pieces and added tokens."""
    rng = random.Random(seed)
    own = list(dict.fromkeys(own_texts(spec))) or [""]
    added = [token.content for token in spec.added_tokens] or [""]
    for _ in range(tier.fuzz):
        yield "".join(_part(rng, own, added) for _ in range(rng.randint(1, 9)))


def _part(rng: random.Random, own: list[str], added: list[str]) -> str:
    chance = rng.random()
    if chance < 0.45:
        return str(rng.choice(PIECES)) * (1 if rng.random() < 0.8 else rng.randint(2, 7))
    if chance < 0.70:
        return rng.choice(own)
    if chance < 0.80:
        return rng.choice(["", " ", "  ", "\n", "x"]) + rng.choice(added) + rng.choice(" \tx")
    if chance < 0.90:
        code = rng.randrange(0x20, 0x3000)
        return chr(code) * rng.randint(1, 3)
    code = rng.randrange(0x110000 - len(SURROGATES))
    return chr(code if code < SURROGATES.start else code + len(SURROGATES))


def _some(texts: list[str], most: int, seed: int) -> list[str]:
    return random.Random(seed).sample(texts, most) if 0 < most < len(texts) else texts
