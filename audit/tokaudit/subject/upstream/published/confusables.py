"""Characters that look like ASCII ones, or are invisible, according to Unicode.

`confusables.tsv` is drawn by `tools/draw_confusables.py` from Unicode's confusables.txt, in the
package confusable_homoglyphs 3.3.1 (MIT).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from tokaudit.subject.upstream.records import HERE

OURS = {"l": "I1|", "O": "0", "_": "\u2581"}
"""Characters of ASCII that the table takes for one; the last is not among Unicode's."""
LONGEST = 200_000  # characters of a text that is looked at


def skeleton(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the look of a text, and the index of the source character of each part.

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
    """Return whether a character is an invisible format mark, or selects a variant.

    >>> is_invisible("\\u200d"), is_invisible("\\ufe0f"), is_invisible(" ")
    (True, True, False)
    """
    return unicodedata.category(character) == "Cf" or 0xFE00 <= ord(character) <= 0xFE0F


@cache
def every_look() -> tuple[str, ...]:
    """Return the ASCII characters that others look like.

    >>> [plain for plain in every_look() if not plain.isalnum()][:3]
    [' ', '!', '&']
    """
    return tuple(sorted({*_table().values()}))


def looking_like(plain: str) -> tuple[str, ...]:
    """Return the characters that look like an ASCII one.

    >>> looking_like("&"), looking_like("~")
    (('\ua778',), ('\u02dc', '\u1fc0', '\u2053', '\u223c'))
    """
    return tuple(sorted(other for other, looks in _table().items() if looks == plain))


def _plain(character: str) -> str:
    if character.isascii():
        return _table().get(character, character)
    normal = unicodedata.normalize("NFKC", character)
    return "".join(_table().get(one, one) for one in normal)


@cache
def _table() -> Mapping[str, str]:
    """Map each look-alike to its ASCII character."""
    ours = {other: plain for plain, others in OURS.items() for other in others}
    return ours | {
        chr(int(code, 16)): ours.get(plain, plain)
        for plain, codes in _drawn()
        for code in codes.split()
    }


def _drawn() -> Iterator[tuple[str, str]]:
    """Yield each row of Unicode's table: an ASCII character, and the codes of others."""
    for line in (HERE / "published" / "confusables.tsv").read_text("utf-8").splitlines():
        plain, _, codes = line.partition("\t")
        yield plain, codes
