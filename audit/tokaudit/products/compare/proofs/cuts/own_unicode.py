r"""The libraries' Unicode version, read by the checker itself.

`regex` may have a newer one.  Where it gives a class to a code point that has no character for the
libraries, or classes a character anew, an atom takes what it takes of one that is classed alike.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import regex

UNUSED = "\U00050000"  # a code point that has never had a character


@cache
def doubtful() -> dict[str, str]:
    """Map characters that `regex` may class differently to equivalent known ones."""
    resource = files("tokaudit_reference") / "text" / "unicode_tables.toml"
    known = tomllib.loads(resource.read_text("utf-8"))["patterns"]
    found = dict(known["classed_like"])
    after = 0
    for written in known["unassigned"].split():
        distance, length = (*written.split("."), "0")[:2]
        after += int(distance, 36)
        for code in range(after, after + int(length, 36) + 1):
            if regex.match(r"\p{Cn}", chr(code)) is None:
                found[chr(code)] = UNUSED
        after += int(length, 36)
    return found


def taken_otherwise(items: Sequence[str], negated: bool) -> list[str]:
    r"""Return the doubtful characters that `regex` matches differently in these classes.

    An item that is a class decides by the character that is classed alike, any other by itself.

    >>> "\u0295" in taken_otherwise([r"\p{Ll}"], False) or not doubtful()
    True
    """
    sets = [each for each in items if each.startswith((r"\p", r"\P"))]
    written = "".join(each for each in items if each not in sets)
    classes = regex.compile(f"[{''.join(sets)}]") if sets else None
    letters = regex.compile(f"[{written}]") if written else None
    native = regex.compile(f"[{'^' * negated}{''.join(items)}]")
    found = []
    for character, like in doubtful().items():
        inside = (classes is not None and classes.match(like) is not None) or (
            letters is not None and letters.match(character) is not None
        )
        if (inside != negated) != (native.match(character) is not None):
            found.append(character)
    return found
