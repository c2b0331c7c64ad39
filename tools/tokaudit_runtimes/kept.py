"""Cells of earlier runs, each a line of a file: a run that was ended goes on where it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from tokaudit.report.comparison import Comparison


@dataclass(frozen=True)
class Cell:
    """What a runtime makes of a tokenizer."""

    subject: str
    runtime: str
    comparison: Comparison


def kept_cells(file: Path | None) -> list[Cell]:
    """The cells of a file; a run that was ended may have cut its last line.

    >>> kept_cells(None)
    []
    """
    if file is None or not file.exists():
        return []
    lines = [line for line in file.read_bytes().splitlines(True) if line.endswith(b"\n")]
    file.write_bytes(b"".join(lines))
    return [msgspec.json.decode(line, type=Cell) for line in lines]


def keep(file: Path | None, cell: Cell) -> None:
    """Add a cell to a file."""
    if file is not None:
        with file.open("ab") as opened:
            opened.write(msgspec.json.encode(cell) + b"\n")
