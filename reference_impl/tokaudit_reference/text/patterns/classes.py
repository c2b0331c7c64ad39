"""Finds the classes of characters in a pattern; each is a Unicode table that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator

CLASS = re.compile(
    r"\\\\|\[:\^?(?P<posix>\w+):\]|\\[pP](?P<property>\{\^?[^}]*\}|[A-Z])|\\(?P<letter>[a-zA-Z])"
)
WORD_CLASS, SPACE_CLASS = r"\w", r"\s"
SHORT = {"s": SPACE_CLASS, "w": WORD_CLASS, "d": r"\d", "b": WORD_CLASS}


def classes(pattern: str) -> Iterator[str]:
    r"""Yield the classes that a pattern names, as written.

    >>> sorted(set(classes(r"[^\s\p{L}]+|\P{N}|\bx[[:alpha:]]")))
    ['[[:alpha:]]', '\\p{L}', '\\p{N}', '\\s', '\\w']
    """
    for match in CLASS.finditer(pattern):
        if match["posix"]:
            yield f"[[:{match['posix']}:]]"
        elif match["property"]:
            yield r"\p" + match["property"].replace("^", "")
        elif (match["letter"] or "").lower() in SHORT:
            yield SHORT[match["letter"].lower()]
