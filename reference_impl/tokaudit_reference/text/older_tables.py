"""Characters that older versions of Hugging Face's tokenizers do not know yet, by operation.

Patterns, normal forms and punctuation are the same in every version since 0.21.2; the tables of
`Lowercase` and `Digits` grew later.  The lists are measured from the versions themselves
(`make tables`), against the newest.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tokaudit_reference.text.unicode_tables import characters_of

FILE = Path(__file__).with_name("older_tables.toml")


def version_number(version: str) -> tuple[int, ...]:
    """Return the numbers of a three-part version; (0,) for any other text.

    >>> version_number("0.22.2"), version_number("")
    ((0, 22, 2), (0,))
    """
    parts = version.split(".")[:3]
    return tuple(map(int, parts)) if len(parts) == 3 and all(map(str.isdecimal, parts)) else (0,)


@cache
def not_yet(version: str, operation: str) -> frozenset[str]:
    """Return the characters that an operation of this version leaves, but later ones change.

    >>> sorted(not_yet("0.22.1", "Digits"))[-1], not_yet("0.22.2", "Digits"), not_yet("", "Digits")
    ('\\U00016ff6', frozenset(), frozenset())
    """
    number = version_number(version)
    later = [known for since, known in _newly_known().items() if (0,) < number < since]
    return frozenset[str]().union(*(known[operation] for known in later))


@cache
def _newly_known() -> Mapping[tuple[int, ...], Mapping[str, frozenset[str]]]:
    stated = tomllib.loads(FILE.read_text("utf-8"))
    return {
        version_number(since): {name: characters_of(written) for name, written in tables.items()}
        for since, tables in stated.items()
    }
