"""Which characters look like one of ASCII, and which cannot be seen, as Unicode says.

`confusables.tsv` is drawn by `tools/draw_confusables.py` from Unicode's confusables.txt, in the
package confusable_homoglyphs 3.3.1 (MIT).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache

from tokaudit.subject.upstream.records import HERE

SAME_LOOK = {"l": "I1|", "O": "0"}  # characters of ASCII that the table takes for one
PLAIN_OF = {other: plain for plain, others in SAME_LOOK.items() for other in others}
PLAIN_OF["\u2581"] = "_"  # not among Unicode's, and mistaken for it all the same
LONGEST = 200_000  # characters of a text that is looked at


def skeleton(text: str) -> tuple[str, tuple[int, ...]]:
    """What a text looks like, and at which character of the text each of it begins.

    >>> skeleton("<e\\u200bnd\\uff1e")[0], skeleton("\\u0435nd")[0]
    ('<end>', 'end')
    """
    seen = [
        (plain, place)
        for place, one in enumerate(text[:LONGEST])
        if not is_invisible(one)
        for plain in _plain(one)
    ]
    return "".join(plain for plain, _ in seen), tuple(place for _, place in seen)


def is_invisible(character: str) -> bool:
    """Whether a character is a mark of format that shows nothing, or selects a variant.

    >>> is_invisible("\\u200d"), is_invisible("\\ufe0f"), is_invisible(" ")
    (True, True, False)
    """
    return unicodedata.category(character) == "Cf" or 0xFE00 <= ord(character) <= 0xFE0F


def _plain(character: str) -> str:
    if character.isascii():
        return PLAIN_OF.get(character, character)
    normal = unicodedata.normalize("NFKC", character)
    return "".join(_table().get(one, PLAIN_OF.get(one, one)) for one in normal)


@cache
def _table() -> Mapping[str, str]:
    """The character of ASCII that each other one looks like."""
    lines = (HERE / "published" / "confusables.tsv").read_text(encoding="utf-8").splitlines()
    cells = (line.partition("\t") for line in lines)
    return {
        chr(int(code, 16)): PLAIN_OF.get(plain, plain)
        for plain, _, codes in cells
        for code in codes.split()
    }
