"""Texts about single characters: every byte, every kind, Unicode versions, and runs."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit_reference.spec import TokenizerSpec

LETTERS = "a Z é É ß ſ ǆ İ ı σ Σ ς я Я 中 ー あ 가 각 א ش ก क ि ா ் ᄀ ᅡ ᆨ 0 7 ٣ ½ ² Ⅷ ① ०"
MARKS = ". , ' ’ ` \" - _ / # $ + ^ < | ~ 、 。 « 😀 🇩🇪 ﬁ Å ▁ Ġ Ċ ## </w> <0x41> ￼"
KINDS = (
    *LETTERS.split(" "),
    *(" ", "  ", "\t", "\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2003"),
    *("\u2028", "\u2029", "\u202f", "\u3000", "\u200b", "\u200c", "\u200d", "\u200e", "\u2060"),
    *("\ufeff", "\u00ad", "\ufe0f", "\u0301", "\u0323", "\u20e3", "\u0345", "\ufffd", "\ufffe"),
    *MARKS.split(" "),
    *("👨\u200d👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3", "e\u0301", "\u1e9b\u0323"),
    *("\x00", "\x01", "\x1b", "\x7f", "\x80", "\x9f"),
)
"""Characters and short sequences, each of which some tokenizer's steps treat unlike all others."""

# Letters without case that a version of Unicode was the first to have: who does not know them cuts.
LETTERS_OF_VERSIONS = {
    "8.0": "\U000108e0",
    "9.0": "\U00011400",
    "10.0": "\U00011d00",
    "11.0": "\U00010d00",
    "12.0": "\U000119a0",
    "13.0": "\U00010e80",
    "14.0": "\U00012f90",
    "15.0": "\U00011f04",
    "15.1": "\U0002ebf0",
    "16.0": "\U000105c0",
    "17.0": "\U00011db0",
}
OLD_LETTER = "\U00010330"  # of Unicode 3.1, beyond the first plane as those above
RUNS = (2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129)
EDGES = ("a", "0", " ", "\n", ".", "-", "é", "中", "😀")


def character_texts() -> Iterator[str]:
    """Yield words with every character of one or two bytes, and one of each other lead byte."""
    codes = [*range(0x180), *range(0x180, 0x800, 0x3F), *range(0x800, 0xD800, 0x3FF)]
    for code in [*codes, *range(0xE000, 0x110000, 0x3FFF)]:
        yield f"a{chr(code)}b {chr(code)}"


def version_texts() -> Iterator[str]:
    """Yield a letter of each Unicode version, between other letters and alone."""
    for letter in (OLD_LETTER, *LETTERS_OF_VERSIONS.values()):
        yield from (letter, f"a{letter}b", f"{letter}{letter} {letter}")


def edge_texts(spec: TokenizerSpec) -> Iterator[str]:
    """Yield the empty text, spaces at either end, runs at powers of two, and long words."""
    yield from ("\ufeffa", "a\ufeff", "\ufeff", "a\x00b", "a\x00", "a\ufffd", "\u00ada")
    yield from ("", " ", "a", " a", "a ", "  a", "a  ", " a ", "x a", "hi (a", "\n", "\na", "a\n")
    for length in RUNS:
        yield from (one * length for one in EDGES)
        yield from (f"{' ' * length}a", f"a{chr(10) * length}a", f"a{' ' * length}\n")
    for length in range(1, 12):
        yield "".join(str(digit % 10) for digit in range(1, length + 1))
    most = spec.max_input_chars_per_word
    if most <= 300:
        yield from ("a" * length for length in (most - 1, most, most + 1))
