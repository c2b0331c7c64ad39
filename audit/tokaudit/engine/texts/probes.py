"""Texts to compare encoders on: built-in contexts, Unicode by block, own vocabulary.

What is drawn depends on the tier and the seed alone.  Code points that this Python's Unicode
tables do not know yet are left out: there two correct encoders may differ by their tables.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit_reference.spec import TokenizerSpec

CONTEXTS = (
    "",
    " ",
    "  ",
    "\n",
    "\n\n\n",
    " \n \n",
    "\t\tx",
    "\r\nx\r\n",
    "Hello world",
    "Hello  world",
    "The price of the book was one of the reasons that she and I did not buy it at first.",
    "What would you do with them, if they had been in our house for two days?",
    " leading and trailing ",
    "don't can't we'll I'M YOU'RE it's 'tis",
    "1 12 123 1234 12345 3.14159 1,000,000 0x1F",
    "3333+777=4110",
    "CamelCaseWord eBay mL NaOH pH iPhone HTTPServer",
    "def f(x):\n    return x ** 2  # squares\n\n\nclass A:\n\tpass\n",
    "for (int i = 0; i < n; ++i) { a[i] += b[i]; }\n",
    "{'a': [1, 2, 3], \"b\": null}\n",
    "https://example.org/a/b?c=d&e=%20f#g",
    "a.b,c;d:e!f?g(h)i[j]k{l}m<n>o",
    "... --- === *** ___ ///",
    "na\u00efve caf\u00e9 e\u0301a\u0300 \u00c5ngstr\u00f6m \u1e9b\u0323",
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002 \u65e5\u672c\u8a9e\u30c6\u30b9\u30c8 \ud55c\uad6d\uc5b4",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440! "
    "\u0395\u03bb\u03bb\u03ac\u03b4\u03b1",
    "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd "
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "\U0001f600\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \u2764\ufe0f",
    "x\u00a0y\u2003z\u3000w\u200bv\ufeffu",
    "\u00bd \u2460 \u0663 \u096b \u2163 \u00b2",
    "A" * 40 + " " + "z" * 40,
    " " * 33 + "x",
    "\x00\x01\x7f",
    "\u2581 \u2581\u2581a \u0120b ##c d</w> <0x41>",
)
FROZEN_STRIDE = 611  # a prime, so that the walk meets every block in another place
LONGEST_TEXT = 50_000  # characters; a hundred times the longest entry of published tokenizers
MOST_OF_ENTRIES = {"quick": 0, "default": 4_000_000, "full": 20_000_000}  # characters
MOST_CHARACTERS = {"quick": 200_000, "default": 1_000_000, "full": 20_000_000}  # of all texts
SHORT_TEXT = 1000  # characters
TIER_SIZES = {"quick": (300, 300, 300), "default": (1500, 2500, 2000), "full": (0, 0, 20000)}


@dataclass(frozen=True)
class Drawn:
    """The drawn texts, and the number of those left out as too long."""

    texts: tuple[str, ...]
    too_long: int = 0


def frozen_probes() -> tuple[str, ...]:
    """Return the fixed probe set of `behaviour-v1`, independent of Unicode tables."""
    scalars = (c for c in range(1, 0x110000, FROZEN_STRIDE) if not 0xD800 <= c < 0xE000)
    return (*CONTEXTS, *(f"a{chr(c)} {chr(c)}b" for c in scalars))


def draw(spec: TokenizerSpec, tier: str, seed: int) -> Drawn:
    """Draw the probe texts for a tokenizer, the plainest first, without duplicates.

    Texts of a vocabulary are as long as a stranger likes, so what they take together is bounded.
    `quick` and `default` sample, `full` takes every vocabulary entry and every assigned scalar
    value, alone and between letters.  `entry_texts` has the entries that are not in a sample.
    """
    texts = _each_once(_every_text(spec, tier, random.Random(seed)))
    return _bounded(texts, MOST_CHARACTERS[tier])


def _every_text(spec: TokenizerSpec, tier: str, rng: random.Random) -> Iterator[str]:
    scalars, pieces, mixtures = TIER_SIZES[tier]
    yield from CONTEXTS
    yield from _scalar_texts(rng, scalars)
    own = list(dict.fromkeys(own_texts(spec)))
    yield from _sample(rng, own, pieces)
    yield from _added_token_texts(spec, rng, tier)
    yield from _mixtures(rng, own, mixtures)


def _each_once(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts without duplicates; of a long one only its hash is kept."""
    seen = set[str | int]()
    for text in texts:
        key = text if len(text) <= SHORT_TEXT else hash(text)
        if key not in seen:
            seen.add(key)
            yield text


def entry_texts(spec: TokenizerSpec, tier: str, but: Iterable[str]) -> Drawn:
    """Return the text of every entry, except given ones; none in the quick tier.

    Most of what a file can have wrong is wrong of single entries, and a sample misses those.
    """
    most = MOST_OF_ENTRIES[tier]
    own = dict.fromkeys(own_texts(spec)) if most else {}
    for text in but:
        own.pop(text, None)
    return _bounded(own, most)


def _bounded(texts: Iterable[str], most: int) -> Drawn:
    """Return texts of assigned characters within limits of length, alone and in total.

    >>> _bounded(["abc", "de", "f"], 4)
    Drawn(texts=('abc', 'f'), too_long=1)
    """
    taken, too_long = [], 0
    for text in texts:
        if len(text) > min(most, LONGEST_TEXT):
            too_long += 1
        elif known_to_this_unicode(text):
            taken.append(text)
            most -= len(text)
    return Drawn(tuple(taken), too_long)


def known_to_this_unicode(text: str) -> bool:
    """Return whether every character is assigned in the Unicode tables of this Python.

    >>> known_to_this_unicode("a"), known_to_this_unicode(chr(0x378))
    (True, False)
    """
    return text.isascii() or all(unicodedata.category(c) not in ("Cn", "Cs") for c in text)


def assigned_scalars() -> list[int]:
    """Return every assigned code point of this Python, without private use."""
    unwanted = ("Cn", "Cs", "Co")
    planes = (range(0x40000), range(0xE0000, 0xF0000))  # the others are empty, or private use
    codes = list(chain.from_iterable(planes))
    kinds = map(unicodedata.category, map(chr, codes))
    return [code for code, kind in zip(codes, kinds, strict=True) if kind not in unwanted]


def _sample(rng: random.Random, items: Sequence[str], limit: int) -> list[str]:
    return list(items) if not limit or len(items) <= limit else rng.sample(items, limit)


def _scalar_texts(rng: random.Random, limit: int) -> Iterator[str]:
    for codes in _by_block(rng, limit):
        for code in codes:
            yield chr(code)
            yield f"a{chr(code)}b {chr(code)}{chr(code)}"


def _by_block(rng: random.Random, limit: int) -> Iterable[Sequence[int]]:
    """Yield the same number of codes from each row, for all scripts; all without a limit."""
    rows = rows_of_scalars()
    share = max(1, limit // len(rows)) if limit else 0
    return [rng.sample(row, min(share, len(row))) if share else row for row in rows]


@cache
def rows_of_scalars() -> tuple[tuple[int, ...], ...]:
    """Return the assigned scalars in rows of 256, computed once per process."""
    rows: dict[int, list[int]] = {}
    for code in assigned_scalars():
        rows.setdefault(code >> 8, []).append(code)
    return tuple(map(tuple, rows.values()))


def _added_token_texts(spec: TokenizerSpec, rng: random.Random, tier: str) -> Iterator[str]:
    tokens = [token for token in spec.added_tokens if token.content]
    for token in tokens if tier == "full" else rng.sample(tokens, min(len(tokens), 60)):
        content = token.content
        yield from (content, f"a{content}b", f" {content} ", f"x {content}\n{content}y")


def _mixtures(rng: random.Random, own: Sequence[str], count: int) -> Iterator[str]:
    spaces = ("", "", " ", " ", "  ", "\n", "\t", "\r\n", "\u00a0")
    for _ in range(count):
        parts = [rng.choice(own or CONTEXTS) for _ in range(rng.randint(2, 9))]
        yield "".join(part + rng.choice(spaces) for part in parts)
