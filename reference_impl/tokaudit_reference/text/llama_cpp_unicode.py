"""The characters that llama.cpp knows: general categories of Unicode 15.1, and no more than that.

A category is this Python's unless the character is newer than Unicode 14, which is what Python
3.11 has; so those are listed.  A Python with tables newer than 15.1 knows a few characters more.

Source: `unicode-data.cpp` and `unicode.cpp` in llama.cpp, which are made from `UnicodeData.txt`.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from tokaudit_reference.text.white_space import WHITE_SPACE

VERSION = "15.1"
SPACES = frozenset(WHITE_SPACE)
SINCE_14 = {
    "L": "1342f-1342f 11f02-11f02 11f04-11f10 11f12-11f33 1b132-1b132 1b155-1b155 1df25-1df2a "
    "1e030-1e06d 1e4d0-1e4eb 2b739-2b739 2ebf0-2ee5d 31350-323af 1123f-11240 13441-13446",
    "M": "cf3-cf3 ece-ece 10efd-10eff 11241-11241 11f00-11f01 11f03-11f03 11f34-11f3a 11f3e-11f42 "
    "13440-13440 13447-13455 1e08f-1e08f 1e4ec-1e4ef",
    "N": "11f50-11f59 1d2c0-1d2d3 1e4f0-1e4f9",
    "P": "11b00-11b09 11f43-11f4f",
    "S": "2ffc-2fff 31ef-31ef 1f6dc-1f6dc 1f774-1f776 1f77b-1f77f 1f7d9-1f7d9 1fa75-1fa77 "
    "1fa87-1fa88 1faad-1faaf 1fabb-1fabd 1fabf-1fabf 1face-1facf 1fada-1fadb "
    "1fae8-1fae8 1faf7-1faf8",
    "C": "13439-1343f",
}
"""The first letter of the category -> ranges of code points that got their character since."""


def _listed() -> dict[str, str]:
    found = {}
    for letter, ranges in SINCE_14.items():
        for first, last in (each.split("-") for each in ranges.split()):
            for code in range(int(first, 16), int(last, 16) + 1):
                found[chr(code)] = letter
    return found


NEWER = _listed()


@lru_cache(maxsize=65_536)
def kind(character: str) -> str:
    r"""Return the first letter of the general category, "" for an unassigned code point.

    >>> kind("a"), kind("\u0903"), kind("\U00011f02"), kind("\u0378")
    ('L', 'M', 'L', '')
    """
    if character in NEWER:
        return NEWER[character]
    category = unicodedata.category(character)
    return "" if category == "Cn" else category[0]


def is_space(character: str) -> bool:
    """Return whether a character is white space."""
    return character in SPACES


def lower(character: str) -> str:
    r"""Return one lower-case character; a lower-case form of several is cut to the first.

    >>> lower("Σ"), lower("\u0130")
    ('σ', 'i')
    """
    return character.lower()[0]


def first_of_decomposition(character: str) -> str:
    """Return the first character of the canonical decomposition; the others are lost.

    >>> first_of_decomposition("é"), first_of_decomposition("가")
    ('e', 'ᄀ')
    """
    return unicodedata.normalize("NFD", character)[0]
