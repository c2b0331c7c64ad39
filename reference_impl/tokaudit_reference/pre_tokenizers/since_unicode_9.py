"""The code points that got a character after Unicode 9, as far as `regex` knows them.

The table of scripts that Hugging Face's tokenizers carries is that of Unicode 9: for a code point
that had no character then it answers "any".  This module is data: ranges, each written as the
distance from the end of the one before, and its length less one where that is not 0, in base 36;
the gaps of code points that have no character to this day are filled.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

TABLE = (
    "120 8 14 3.1 1o.1 12 1a dc.2 2p.1r m 9.l 89.2 3c 3o.5 2c.2 4v 1k w.1 q d 2g.1 m.d 4 1j.1 "
    "1x 79 3 3 2.5 5 8 8.1 3 e k 1mn 8.a 6o 2x g7.1d 2k.3 1a.2 7e.1i 1k 3 70.4 id e.2 w.5 mz "
    "14.2 1gt.1 z.2 d 9.p 5.f 1c 1c di.u bd.3 8f.1 3w.4 11.b 7k 59z.9 g7r.15 1io 9.1q 1i 5u.1 "
    "h3.7 fv9.g a6.f 1t.1 1j.7 1b.1 pp b5.2 g1.3n b1.1r ap.p 63.1 j jc.3z 6p.ae 3e.5 25.b 3b.3 "
    "3r.1 34.2 6y 1x.2q 3c 4.3 gn.1 n.j 1j 12.6z 5h.cf 1t.6x 7b.lb vk 6.a 5t.23m u5.34b 5qe.1l "
    "1tj.2h hj.b7 36.a 1c.8 2i.l 4qf.i l0.7bf 4.l5 4xx.qr 9w.1 5d.m 29.4j 3j.6 mm uy.zj 1d.1ji "
    "99 me.5o r4.2 w 1p.3 1q.1 4y.5 vi.c o.5 3c.b 2e.16 4x.2n g 9.7 2.1 d d.3 g.w j.19 2.ft "
    "xr1.8 386.a 67 4g4.69n 3hf.1dtr "
)


def _ranges() -> tuple[list[int], list[int]]:
    """The first code point of each range, and the last."""
    pairs = [(*map(_number, entry.split(".")), 0)[:2] for entry in TABLE.split()]
    ends = list(accumulate(distance + length for distance, length in pairs))
    return [end - length for end, (_, length) in zip(ends, pairs, strict=True)], ends


def _number(digits: str) -> int:
    return int(digits, 36)


FIRSTS, LASTS = _ranges()


def is_new(character: str) -> bool:
    """Whether a code point got its character after Unicode 9.

    >>> is_new("\u0d00"), is_new("\u0d02")
    (True, False)
    """
    place = bisect_right(FIRSTS, ord(character)) - 1
    return place >= 0 and ord(character) <= LASTS[place]
