"""What a page tells its reader to do: files to write and commands to type, in the order of reading.

A console block holds commands after `$ ` and, below each, what it prints; with nothing below, the
page says nothing about it.  Another block is a file where the paragraph before it ends in a colon
and its first words in code are the file's name, or ends in "in the same file:".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"`([\w./-]+\.\w+)`")
EXIT = re.compile(r"#\s*exit code (\d+)\s*$")
SAME = "in the same file:"


@dataclass(frozen=True)
class Written:
    """A file that the page shows whole, or, where it says so, what is added to the last one."""

    name: str  # empty: the file before
    text: str


@dataclass(frozen=True)
class Typed:
    """A command, what the page says that it prints, and the exit code."""

    text: str
    shown: tuple[str, ...] = ()
    code: int = 0


def steps(page: str) -> Iterator[Written | Typed]:
    """The files and commands of a page.

    >>> [each.text for each in steps("```console\\n$ tokaudit gate\\nPASS\\n```\\n")]
    ['tokaudit gate']
    """
    for block in FENCE.finditer(page):
        language, text = block.groups()
        if language == "console":
            yield from typed(text)
        elif language in ("toml", "python", "yaml", "json", "text"):
            yield from _written(page[: block.start()], text)


def typed(text: str) -> Iterator[Typed]:
    """The commands of a console block; a backslash at its end continues a line."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        command = [lines.pop(0)]
        while command[-1].endswith("\\") and lines:
            command.append(lines.pop(0))
        whole = "\n".join(command)
        stated = EXIT.search(whole)
        yield Typed(whole, tuple(lines), int(stated[1]) if stated else 0)


def _written(before: str, text: str) -> Iterator[Written]:
    paragraph = before.rstrip().rpartition("\n\n")[2]
    name = NAME.search(paragraph)
    if paragraph.endswith(SAME):
        yield Written("", text)
    elif paragraph.endswith(":") and name:
        yield Written(name[1], text)
