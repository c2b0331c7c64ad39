"""Characters that normalizer steps change, in the steps' own Unicode versions.

The tables are written here as ranges of code points, and not asked of the reference.

Source: `DerivedGeneralCategory.txt` of Unicode 8 and 9, whose tables Hugging Face's tokenizers has;
`UnicodeData.txt` of Unicode 15 to 17; `PropList.txt` for white space; `nmt.rs` and `bert.rs` in
tokenizers; `tokenization.py` of the BERT release for ideographs.
"""

from __future__ import annotations

from collections.abc import Iterator

MARKS_OF_9 = (
    "lc.33 7o.6 7c.18 2 2.1 2.1 2 21.a 1d.k h 2u.6 3.5 3.1 2.3 10 v.q 2k.a 1n.8 z.3 2.8 2.2 "
    "2.4 18.2 3d.d 2.w 1j.2 2.h 2.6 b.1 u.2 1l 2.6 3.1 3.2 a b.1 u.2 1l 2.4 5.1 3.2 4 v.1 4 "
    "c.2 1l 2.7 2.2 2.2 l.1 u.2 1l 2.6 3.1 3.2 9.1 b.1 v 1o.4 4.2 2.3 a 15.3 1n.6 2.2 2.3 8.1 "
    "c.1 u.2 1l 2.6 2.2 2.3 8.1 c.1 u.2 1n.6 2.2 2.3 a b.1 v.1 1z 5.5 2 2.7 j.1 1q 3.6 d.7 2r "
    "3.5 2.1 c.5 23.1 s 2 2 5.1 1e.j 2.1 6.a 2.z a 2t.j o.3 5.2 2.2 3.6 4.3 e.b 2 b.3 jk.2 "
    "qb.2 u.2 u.1 v.1 1t.v a 1a.2 3c.1 z 3b.b 5.b 64.4 1m.9 2.s 3 1d.e 1u.4 1c.g 13.8 d.2 v.c "
    "1l.d 1d.j 49.2 2.k 5 5.2 4.1 5j.1h 6.4 k1.w 2db.2 3y 2p.v ff.5 2y.1 n9x.3 2.9 x.1 29.1 "
    "7l 4 5 o.4 2h.1 1f.h r.h 1h.7 q.c 19.3 1c.d 11 1w.d d 9.1 1a.2 1f 2.2 3.1 6.1 2 16.4 6.1 "
    "6l.7 2.1 fn5 ki.f h.f r2 6b 46.4 1af.2 2.1 6.3 15.2 5 4m.1 10a.2 1i.e 1l.3 1a.a 1y.2 "
    "11.d 1r d.2 1d.d a.2 2o.b 7 4h.b m.3 1l 2.6 3.1 3.2 a b.1 3.6 4.4 5d.h 2y.j 6k.6 3.8 s.1 "
    "2b.g 2z.c 2u.e zo.7 2.7 2b.l 2.d fga.4 1o.6 t7.19 h.3 f7v.1 43r.4 4.5 9.7 3.6 v.3 45.2 "
    "1j0.1i 5.1d 9 f n.4 2.e 11t.6 2.g 3.6 2.1 2.4 1pi.6 32.6 gzhy.6n"
)
"""Each range by its distance from the end of the last one, and its length less one, in base 36."""
CONTROLS_OF_8 = (
    *((0x0, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD)),
    *((0x70F, 0x70F), (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064)),
    *((0x2066, 0x206F), (0xD800, 0xF8FF), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F)),
    *((0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)),
)
"""Controls, formats, surrogates and characters for private use; what has no character stays."""
SPACES = (
    *((0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)),
    *((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
)
"""White space that is not a control character."""
REMOVED_BY_NMT = ((0x1, 0x8), (0xB, 0xB), (0xE, 0x1F), (0x7F, 0x7F), (0x8F, 0x8F), (0x9F, 0x9F))
SPACES_TO_NMT = (
    *((0x9, 0xA), (0xC, 0xD), (0x1680, 0x1680), (0x200B, 0x200F), (0x2028, 0x2029)),
    *((0x2581, 0x2581), (0xFEFF, 0xFEFF), (0xFFFD, 0xFFFD)),
)
IDEOGRAPHS = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF)),
    *((0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0x2F800, 0x2FA1F)),
)
NEW_CAPITALS = (
    *((0x1C89, 0x1C89, 1), (0xA7CB, 0xA7CB, 0x264 - 0xA7CB), (0xA7DC, 0xA7DC, 0x19B - 0xA7DC)),
    *((code, code, 1) for code in range(0xA7CC, 0xA7DB, 2)),
    *((0x10D50, 0x10D65, 0x20), (0x16EA0, 0x16EB8, 0x1B)),
)
"""Those of Unicode 15 to 17, and how far from them their lower case is."""
Table = dict[int, str]


def lower_of_new_capitals() -> Table:
    """Return the lower case of capitals that Python may not know yet."""
    rows = ((code, code + away) for a, b, away in NEW_CAPITALS for code in range(a, b + 1))
    return {code: chr(lower) for code, lower in rows}


def marks() -> Iterator[int]:
    """Yield the code points of marks."""
    end = 0
    for entry in MARKS_OF_9.split():
        distance, _, longer = entry.partition(".")
        start = end + int(distance, 36)
        end = start + int(longer or "0", 36)
        yield from range(start, end + 1)


def within(ranges: tuple[tuple[int, int], ...], becomes: str) -> Table:
    """Map all code points of some ranges to one text.

    >>> within(((0x61, 0x62),), "x")
    {97: 'x', 98: 'x'}
    """
    return {code: becomes for first, last in ranges for code in range(first, last + 1)}
