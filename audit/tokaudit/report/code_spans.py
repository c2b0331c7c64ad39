"""Find code in our own sentences, marked by backquotes, for every format to render.

Only texts of checks are written so: why one matters and what to do.  Messages quote what others
wrote, where a backquote is only a character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tokaudit.report.visible import LONGEST

QUOTED = re.compile(r"`([^`\s](?:[^`]{0,200}[^`\s])?)`")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a sentence; `code` if it is typed or part of a file."""

    text: str
    code: bool = False


def spans(text: str) -> Iterator[Span]:
    """The stretches of a sentence; a backquote without another one is a character.

    What is too long to be shown whole is data, and is left as it is.

    >>> [(each.text, each.code) for each in spans("Test `{% if tools %}`, not ` alone.")]
    [('Test ', False), ('{% if tools %}', True), (', not ` alone.', False)]
    """
    end = 0
    for found in QUOTED.finditer(text) if len(text) <= LONGEST else ():
        if found.start() > end:
            yield Span(text[end : found.start()])
        yield Span(found[1], code=True)
        end = found.end()
    if end < len(text):
        yield Span(text[end:])


def drawn(text: str, plain: Callable[[str], str], code: Callable[[str], str]) -> str:
    """A sentence with each stretch drawn in its way.

    >>> drawn("Test `tools`.", str.upper, lambda code: f"<{code}>")
    'TEST <tools>.'
    """
    return "".join((code if each.code else plain)(each.text) for each in spans(text))
