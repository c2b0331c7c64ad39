"""The texts: every entry, every scalar alone and between letters, and drawn ones with specials."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

import regex

from tokaudit_reference.spec import TokenizerSpec

LAST = 0x110000
SURROGATES = range(0xD800, 0xE000)
HARD = (
    *(" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2581", "\u0085", "'", '"', "`", "~"),
    *("'s", "'S", "'re", "'\u017f", " '", "?", " !", ".", ",", "<", ">", "|", "[", "]", "#", "/"),
    *(
        "a",
        "B",
        "the",
        " The",
        "don't",
        "é",
        "e\u0301",
        "ß",
        "Σ",
        "İ",
        "ﬁ",
        "½",
        "٣",
        "123",
        "4567",
    ),
    *("가", "한국어", "नमस्ते", "ภาษา", "عربي", "עִברית", "漢字", "カナ", "ﾊﾝ", "\u20e3", "\ufe0f"),
    *("\u200d", "\ufeff", "\u00ad", "\0", "\ufffd", "\U0001f600", "\U0001f468\u200d\U0001f469"),
    *("\u1c89", "\U00011f02", "\U0001e4f0", "\U00031350", "ǅ", "ʰ", "Ⅷ", "€", "→", "。", "－"),
)
HAS_CHARACTER = regex.compile(r"[^\p{Cn}\p{Co}]")
LONGEST = 12  # parts of a drawn text


def entries(spec: TokenizerSpec) -> Iterator[str]:
    """Each entry as a text, where it is one, alone and with a space before it."""
    for piece in spec.every_piece():
        value = piece.value
        text = value if isinstance(value, str) else value.decode("utf-8", "replace")
        yield from (text, " " + text)


def scalars(step: int, step_of_others: int) -> Iterator[str]:
    """Every scalar value, or each so many, alone and between letters.

    Those without a character, for private use too, are counted by themselves: they act alike.
    """
    known, others = _scalars()
    for code in (*known[::step], *others[::step_of_others]):
        yield from (chr(code), f"a{chr(code)}b")


@cache
def _scalars() -> tuple[list[int], list[int]]:
    """The code points with a character, and the others; the same for every vocabulary."""
    codes = [code for code in range(LAST) if code not in SURROGATES]
    known = [code for code in codes if HAS_CHARACTER.match(chr(code))]
    return known, sorted(set(codes) - set(known))


def drawn(spec: TokenizerSpec, count: int, seed: int) -> Iterator[str]:
    """Texts of hard parts, of entries and of tokens that are looked for, some of them cut short."""
    chance = random.Random(seed)
    specials = [token.content for token in spec.added_tokens][:200] or ["</s>"]
    values = [piece.value for piece in spec.every_piece()]
    for _ in range(count):
        parts = [_part(chance, specials, values) for _ in range(chance.randint(1, LONGEST))]
        yield "".join(parts)


def _part(chance: random.Random, specials: Sequence[str], values: Sequence[bytes | str]) -> str:
    which = chance.random()
    if which < 0.2:
        special = chance.choice(specials)
        return special[: chance.randint(1, len(special))] if which < 0.02 else special
    if which < 0.4:
        value = chance.choice(values)
        return value if isinstance(value, str) else value.decode("utf-8", "replace")
    if which < 0.5:
        code = chance.randrange(LAST)
        return "" if code in SURROGATES else chr(code)
    return chance.choice(HARD)


def id_lists(spec: TokenizerSpec, count: int, seed: int) -> Iterator[list[int]]:
    """Ids in any order, those of special tokens among them."""
    chance = random.Random(seed)
    special = [token.id for token in spec.added_tokens]
    every = list(spec.pieces)
    for _ in range(count):
        pools = [special if special and chance.random() < 0.1 else every for _ in range(8)]
        yield [chance.choice(pool) for pool in pools[: chance.randint(1, 8)]]
