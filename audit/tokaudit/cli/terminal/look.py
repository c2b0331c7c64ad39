"""Look of a report on a stream: colour and width."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from tokaudit.cli.terminal.columns import columns
from tokaudit.report.writer import Look

if TYPE_CHECKING:
    from tokaudit.report.report import Report


def look(stream: TextIO | None, color: str, *, measurements: bool = False) -> Look:
    """Return colour and width for a stream."""
    terminal = stream is not None and stream.isatty()
    width = columns(stream) or Look().width
    return Look(_colored(terminal, color), width, measurements)


def summarise(report: Report, color: str) -> None:
    """Print the report on stderr, in terminal form."""
    from tokaudit.cli.terminal.streams import note
    from tokaudit.engine.rendering import render

    note(render(report, look=look(sys.stderr, color)))


def _colored(terminal: bool, color: str) -> bool:
    """Return whether to use colour: the option, NO_COLOR, FORCE_COLOR, then the stream."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return terminal and os.environ.get("TERM") != "dumb"
