"""The properties of characters in Unicode 8 and 9, whose tables Hugging Face's tokenizers has.

What that library strips, cleans, isolates and normalizes was fixed when its tables were: for a code
point that got its character later it knows neither a category nor a decomposition.  The category
of a character is this Python's unless the character is newer than the version, or one of the few
that were classed anew since; only those that were or became a mark, punctuation or a control are
told.  The tables are data: ranges of the code points that got a character, each written as the
distance from the end of the one before, and its length less one where that is not 0, in base 36;
gaps of code points that have no character to this day are filled.

Source: `DerivedAge.txt` and `DerivedGeneralCategory.txt` of the Unicode character database.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Literal

Version = Literal[8, 9]
Ranges = tuple[list[int], list[int]]  # the first code point of each, and the last

IN_9 = (
    "1py.18 pq 5r.7 2.6 o.2 2yw.8 ab 16o.3 211.1 nze 7r hjc.1 ma.23 2mb ci.2l eb.c 13o.52 gfe.5ci "
    "gsu.16 1qu.2n 1mk.h 3z n3 16 8d.1 y.2 f7.1x 13.c"
)
SINCE_9 = (
    "120 8 14 3.1 1o.1 12 1a dc.2 2p.1r m 9.l 89.2 3c 3o.5 2c.2 4v 1k w.1 q d 2g.1 m.d 4 1j.1 "
    "1x 79 3 3 2.5 5 8 8.1 3 e k 1mn 8.a 6o 2x g7.1d 2k.3 1a.2 7e.1i 1k 3 70.4 id e.2 w.5 mz "
    "14.2 1gt.1 z.2 d 9.p 5.f 1c 1c di.u bd.3 8f.1 3w.4 11.b 7k 59z.9 g7r.15 1io 9.1q 1i 5u.1 "
    "h3.7 fv9.g a6.f 1t.1 1j.7 1b.1 pp b5.2 g1.3n b1.1r ap.p 63.1 j jc.3z 6p.ae 3e.5 25.b 3b.3 "
    "3r.1 34.2 6y 1x.2q 3c 4.3 gn.1 n.j 1j 12.6z 5h.cf 1t.6x 7b.lb vk 6.a 5t.23m u5.34b 5qe.1l "
    "1tj.2h hj.b7 36.a 1c.8 2i.l 4qf.i l0.7bf 4.l5 4xx.qr 9w.1 5d.m 29.4j 3j.6 mm uy.zj 1d.1ji "
    "99 me.5o r4.2 w 1p.3 1q.1 4y.5 vi.c o.5 3c.b 2e.16 4x.2n g 9.7 2.1 d d.3 g.w j.19 2.ft "
    "xr1.8 386.a 67 4g4.69n 3hf.1dtr "
)
CLASSED_ANEW_SINCE_9 = {
    "\u166d": "Po",
    "\u1734": "Mn",
    "\u1cf2": "Mc",
    "\u1cf3": "Mc",
    "\ua9bd": "Mc",
    "\U000111c9": "Po",
    "\U0001171e": "Mn",
}
CLASSED_ANEW: Mapping[Version, Mapping[str, str]] = {
    8: CLASSED_ANEW_SINCE_9 | {"\u1885": "Lo", "\u1886": "Lo"},
    9: CLASSED_ANEW_SINCE_9,
}


def _ranges(table: str) -> Ranges:
    pairs = [(*map(_number, entry.split(".")), 0)[:2] for entry in table.split()]
    ends = list(accumulate(distance + length for distance, length in pairs))
    return [end - length for end, (_, length) in zip(ends, pairs, strict=True)], ends


def _number(digits: str) -> int:
    return int(digits, 36)


NEWER: Mapping[Version, tuple[Ranges, ...]] = {
    8: (_ranges(IN_9), _ranges(SINCE_9)),
    9: (_ranges(SINCE_9),),
}


def newer(version: Version) -> Iterator[str]:
    """The code points that got their character after a version of Unicode."""
    for firsts, lasts in NEWER[version]:
        for first, last in zip(firsts, lasts, strict=True):
            yield from map(chr, range(first, last + 1))


def is_newer(character: str, version: Version) -> bool:
    r"""Return whether a code point got its character after a version of Unicode.

    >>> is_newer("\u0d00", 9), is_newer("\u0d02", 9), is_newer("\u1c80", 9), is_newer("\u1c80", 8)
    (True, False, False, True)
    """
    return any(_within(ranges, ord(character)) for ranges in NEWER[version])


@lru_cache(maxsize=65_536)
def category(character: str, version: Version) -> str:
    r"""The general category that a character had in a version of Unicode.

    >>> category("\u0301", 8), category("\U0001e94b", 8), category("\U000111c9", 8)
    ('Mn', 'Cn', 'Po')
    """
    if is_newer(character, version):
        return "Cn"
    return CLASSED_ANEW[version].get(character) or unicodedata.category(character)


def _within(ranges: Ranges, code: int) -> bool:
    firsts, lasts = ranges
    place = bisect_right(firsts, code) - 1
    return place >= 0 and code <= lasts[place]
