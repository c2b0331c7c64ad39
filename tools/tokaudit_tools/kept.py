"""Results of earlier runs, each a line of a file: a run that was ended goes on where it was."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


def add_option(parser: ArgumentParser) -> None:
    """Let a command be told which file holds its earlier results."""
    go_on = "go on with the results in this file, of the same commit, and add the others to it"
    parser.add_argument("--kept", type=Path, metavar="FILE", help=go_on)


def kept(file: Path | None, type_of_line: type[T]) -> list[T]:
    """What a file holds; a run that was ended may have cut its last line, which is removed.

    >>> kept(None, int)
    []
    """
    if file is None or not file.exists():
        return []
    lines = [line for line in file.read_bytes().splitlines(True) if line.endswith(b"\n")]
    file.write_bytes(b"".join(lines))
    return [msgspec.json.decode(line, type=type_of_line) for line in lines]


def keep(file: Path | None, result: object) -> None:
    """Add a result to a file."""
    if file is not None:
        with file.open("ab") as opened:
            opened.write(msgspec.json.encode(result) + b"\n")
