"""All short texts over the characters of two tokenizers, those that they differ in first.

A text is made of symbols: the characters of entries, of patterns and of other options of either
side, one that neither knows, and the added tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from tokaudit_reference.text.bytes_alphabet import to_bytes
from tokaudit_soundness.pairs import ChangedPair

SYMBOLS = 8
LENGTHS = ((1, SYMBOLS), (2, SYMBOLS), (3, 6), (4, 3), (5, 2), (6, 2))  # of how many symbols each
REPEATED = (7,)
NAMES = frozenset({"type", "id", "direction", "strategy", "behavior", "prepend_scheme"})
SYNTAX = frozenset("\\^$()[]{}|?*+<>:=!,")


def texts(pair: ChangedPair) -> tuple[str, ...]:
    """The texts, the shortest first; no text twice."""
    return tuple(dict.fromkeys(("", *_texts(symbols(pair)))))


def _texts(found: tuple[str, ...]) -> Iterator[str]:
    for length, of in LENGTHS:
        yield from map("".join, product(found[:of], repeat=length))
    for length in REPEATED:
        yield from (symbol * length for symbol in found)


def symbols(pair: ChangedPair) -> tuple[str, ...]:
    """What texts are made of: characters of what differs, of steps, of entries, and one unknown."""
    contents = [t["content"] for side in (pair.first, pair.second) for t in side["added_tokens"]]
    differing = list(characters(_apart(pair.second, pair.first)))  # mostly the second has more
    of = pair.characters
    rest = (*of.known, *of.unknown[:1], *contents, *of.named[-3:], *of.unknown)
    alone = [each for each in dict.fromkeys((*differing[:2], *rest, *differing)) if each]
    return tuple(alone[:SYMBOLS])


def _apart(one: Any, other: Any) -> Iterator[Any]:
    """The innermost values of two files that are not equal; of vocabularies the entries."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in {**one, **other}:
            if key == "vocab":
                yield from _entries(one[key], other[key])
            elif key not in NAMES and one.get(key) != other.get(key):
                yield from _apart(one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for mine, its in zip(one, other, strict=True):
            yield from _apart(mine, its)
    elif one != other:
        yield from (one, other)


def _entries(one: Any, other: Any) -> Iterator[str]:
    """The entries that are not the same on both sides."""
    ours, theirs = (dict(each if isinstance(each, list) else each.items()) for each in (one, other))
    yield from (each for each in {**ours, **theirs} if ours.get(each) != theirs.get(each))


def characters(values: Iterable[Any]) -> Iterator[str]:
    """The characters in the texts of some values, bytes read as what they stand for."""
    for value in values:
        if isinstance(value, Mapping):
            yield from characters(each for key, each in value.items() if key not in NAMES)
        elif isinstance(value, list):
            yield from characters(value)
        elif isinstance(value, str) and len(value) < 40:
            data = to_bytes(value)
            read = value if data is None else data.decode("utf-8", "ignore")
            yield from (each for each in read if each not in SYNTAX)
