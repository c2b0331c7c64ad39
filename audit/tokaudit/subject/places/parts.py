"""Pointers to a tokenizer's parts and their entries, by format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tokaudit.subject.places.pointers import at_line
from tokaudit.subject.safe_json import pointer


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list: its index from 0, and its text."""

    place: int
    text: str


def by_place(part: str, entry: Entry) -> str:
    """Point to an entry of a list.

    >>> by_place("/model/merges", Entry(5, "a b"))
    '/model/merges/5'
    """
    return f"{part}/{entry.place}"


def by_text(part: str, entry: Entry) -> str:
    """Point to an entry of an object, whose text is the key.

    >>> by_text("", Entry(5, "a/b"))
    '/a~1b'
    """
    return part + pointer(entry.text)


def by_line(part: str, entry: Entry) -> str:
    """Point to an entry of a file of lines.

    >>> by_line("", Entry(0, "[PAD]"))
    'line 1'
    """
    return at_line(entry.place + 1)


def as_whole(part: str, entry: Entry) -> str:
    """Point to the list of an entry whose own place is unknown."""
    return part


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a tokenizer: its file, its pointer, and a pointer to its entries.

    A vocabulary is `typed` where its own entries say which of them are special tokens.
    """

    pointer: str = ""
    file: int = 0
    entry: Callable[[str, Entry], str] = by_place
    typed: bool = False
