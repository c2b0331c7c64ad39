"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def row(*cells: object) -> str:
    """One line of a table.

    >>> row("a", 1)
    '| a | 1 |'
    """
    return f"| {' | '.join(map(str, cells))} |"


def head(*columns: str) -> str:
    """The first two lines of a table.

    >>> head("name", "n").split(chr(10))
    ['| name | n |', '|---|---|']
    """
    return f"{row(*columns)}\n|{'---|' * len(columns)}"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A whole table, which ends in a new line."""
    return "\n".join([head(*columns), *(row(*each) for each in rows)]) + "\n"
