r"""Lists the characters of the Basic Multilingual Plane that match one item of a pattern.

The standard `re` knows no `\p{L}`, and its `\w`, `\d` and case folding follow the Unicode version
of this Python, where `regex` brings its own.  So `regex` is asked, once for each item and for every
character of the plane, and the answer is written as an explicit class: equal by construction,
whatever the item is.  Characters beyond the plane are not enumerated: in a class of `re` their
ranges are searched one by one, which costs more than the class gains.  A text with a character of
the delta never gets such a pattern.
"""

from __future__ import annotations

from functools import cache, lru_cache

import regex

from tokaudit_reference.text.unicode_tables import delta

Range = tuple[int, int]  # first and last
NOTHING = "[^\\x00-\\U0010ffff]"


@cache
def _plane() -> str:
    """Return the plane's characters, with those that `regex` classes otherwise replaced."""
    alike = {ord(one): like for one, like in delta().items()}
    return "".join(map(chr, range(0x10000))).translate(alike)


@lru_cache(maxsize=512)
def ranges(item: str) -> tuple[Range, ...]:
    """The code points up to U+FFFF that a one-character pattern of `regex` matches.

    >>> ranges(r"(?i:k)")
    ((75, 75), (107, 107), (8490, 8490))
    """
    runs = regex.finditer(f"(?:{item})+", _plane())
    return tuple((run.start(), run.end() - 1) for run in runs)


def spelled(item: str) -> str:
    r"""Rewrite the item as an explicit class of the standard `re`.

    >>> print(spelled("[b-da]"), spelled(r"(?i:s)"))
    [\u0061-\u0064] [\u0053-\u0053\u0073-\u0073\u017f-\u017f]
    """
    found = ranges(item)
    if not found:
        return NOTHING
    return "[" + "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in found) + "]"
