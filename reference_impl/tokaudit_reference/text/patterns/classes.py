"""Which classes of characters a pattern names; each is a Unicode table that it consults."""

from __future__ import annotations

import re
from collections.abc import Iterator

CLASS = re.compile(
    r"\\\\|\[:\^?(?P<posix>\w+):\]|\\[pP](?P<property>\{\^?[^}]*\}|[A-Z])|\\(?P<letter>[a-zA-Z])"
)
WORD_CLASS, SPACE_CLASS = r"\w", r"\s"
SHORT = {"s": SPACE_CLASS, "w": WORD_CLASS, "d": r"\d", "b": WORD_CLASS}


def classes(pattern: str) -> Iterator[str]:
    r"""The classes that a pattern names, each as it is asked for.

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
