"""What fuzzed strings are put together from.  This module is data."""

from __future__ import annotations

from collections.abc import Callable

from tokaudit.engine.texts.probes import CONTEXTS

PIECES: tuple[str, ...] = (
    *CONTEXTS,
    *" \t\n\r\u00a0\u2003\u3000\u200b\u2028\x0b\x0c\x1c\x85",  # white space of every opinion
    *("  ", "   ", "\n\n", "\r\n", " \n", "\t "),
    *"\u0301\u0323\u0308\u093c\u064b\u20e3\u200d\ufe0f\u1160\u11a8\u3099",  # marks and joiners
    *("\u0334\u0345\u0315", "\u0f71\u0f72\u0f74", "\u05b0\u05bc\u05c1"),  # marks out of order
    *("\U0001f468\u200d\U0001f469\u200d\U0001f466", "\U0001f1e9\U0001f1ea", "\U0001f44d\U0001f3fd"),
    *("\u2764\ufe0f\u200d\U0001f525", "7\ufe0f\u20e3", "\U0001f3f4\U000e0067\U000e007f"),
    *("0", "7", "42", "123", "9999", "\u0663", "\u00bd", "\u2167", "\u4e09"),
    *("'s", "'LL", "\u2019t", "don't", "__init__", "->", "==", "//", "/*", "</a>", "{}", ");\n"),
    *("'S", "'\u017f", "\u212a", "'Re", "'vE"),  # contractions in every case
    *("\u00e9", "e\u0301", "\u00df", "\u0130", "\u017f", "\u1e9e", "\ufb01", "\uff21", "\u212b"),
    *("\u0915\u094d\u0937", "\u0e01\u0e33", "\uac00", "\u1100\u1161", "\u05d0\u05b8", "\u06cc"),
    *("\u0391\u03a3", "\u01c5", "\u1f88", "\u1fb3", "\U00010400", "\U0001d49c"),  # case
    *("\u3042\u30fc\u30a2", "\u6f22\u5b57", "\uff76\uff9e", "\U00020000", "\u3105"),
    *("\u2581", "\u0120", "##", "</w>", "<0x0A>", "<s>", "[CLS]", "\ufffd", "\ufeff", "\x00"),
)
AROUND = (
    ("", ""),
    ("a", "b"),
    (" ", " "),
    ("  ", "  "),
    ("\n", "\n"),
    ("a ", " b"),
    ("1", "2"),
    (".", "."),
    ("_", "_"),
    ("\u00e9", "\u0301"),
    ("\u3042", "\u6f22"),
    ("\u2581", "\u2581"),
    ("\u00a0", "\u3000"),
    ("<", ">"),
    ("\t\r\n", "\u200b"),
)
VARIED: tuple[Callable[[str], str], ...] = (str, str, str.upper, str.title, str.swapcase)
