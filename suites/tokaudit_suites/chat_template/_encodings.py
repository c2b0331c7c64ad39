"""Malformed data in a template's output: Python literals, double encoding, unclosed brackets."""

from __future__ import annotations

import re
from collections import Counter

Fault = tuple[str, str]  # the cause, and what is wrong with the way in which it is written
ENTITY = re.compile(r"&(?:quot|amp|apos|#34|#39);")
TAG = re.compile(r"<(/?)(\w+)(?:=[^<>]*|(?:\s+\w+=[^<>\s]+)+)?>")
DOUBLED = re.compile(r"(<[^<>\s]+>|\[/?[A-Z_]+\])\s*\1")
BRACKETS = (("{", "}"), ("[", "]"))


def miswritten(text: str, key: str) -> Fault | None:
    """Return the encoding fault of an object with this key, or None if it is sound.

    >>> miswritten('{"orchard": 7}', "orchard"), miswritten("orchard = 7", "orchard")
    (None, None)
    >>> miswritten("{'orchard': 7}", "orchard")[0]
    'as Python'
    >>> miswritten('"{\\\\"orchard\\\\": 7}"', "orchard")[0]
    'encoded twice'
    """
    if f'\\"{key}' in text:
        return "encoded twice", "as a JSON string that holds JSON"
    if re.search(rf"'{key}'\s*:", text):
        return "as Python", "as Python prints them, with single quotes, which is not JSON"
    if ENTITY.search(text):
        return "entities", f"with entities of HTML, such as {ENTITY.findall(text)[0]}"
    if lacks := unbalanced(text):
        return "cut", f"as JSON that cannot be parsed: a {lacks} is missing"
    return None


def unbalanced(text: str) -> str:
    """Return the bracket or quote that is unbalanced; "" if none is.

    >>> unbalanced('{"a": [1]}'), unbalanced('{"a": [1]'), unbalanced('{"a: 1}')
    ('', '}', '"')
    """
    for opening, closing in BRACKETS:
        counts = text.count(opening), text.count(closing)
        if counts[0] != counts[1]:
            return closing if counts[0] > counts[1] else opening
    return '"' if text.count('"') % 2 else ""


def unopened(text: str) -> str:
    """Return the first tag that is closed more often than opened.

    >>> unopened("in <tools></tools>: <tools>a</tools>")
    ''
    >>> unopened("in <tools></tools>: a</tools>")
    '</tools>'
    """
    counts = _tags(text)
    closed = (name for name, closing in counts if closing)
    return next(
        (f"</{name}>" for name in closed if counts[name, True] > counts[name, False]),
        "",
    )


def unfinished(text: str) -> str:
    """Return the first tag that is opened more often than closed, if it is ever closed.

    One that is never closed may stand for something in a description.

    >>> unfinished("in <tools></tools>: <tools>a"), unfinished("write <name> here")
    ('<tools>', '')
    """
    counts = _tags(text)
    open = (name for name, closing in counts if not closing and counts[name, True])
    return next((f"<{name}>" for name in open if counts[name, False] > counts[name, True]), "")


def _tags(text: str) -> Counter[tuple[str, bool]]:
    tags = (tag for tag in TAG.finditer(text) if tag[2] != "s")  # the end of text
    return Counter((tag[2], bool(tag[1])) for tag in tags)


def doubled(text: str) -> str:
    """Return the first marker that directly follows itself, except at the start of a text.

    A beginning of text that is there twice is the finding of another check.

    >>> doubled("a<end><end>"), doubled("<s><s>a<end>")
    ('<end>', '')
    """
    found = (match for match in DOUBLED.finditer(text) if match.start())
    return next((match[1] for match in found), "")
