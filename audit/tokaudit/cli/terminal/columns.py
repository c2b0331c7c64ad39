"""Width of a stream in columns."""

from __future__ import annotations

import os
from typing import TextIO

NARROWEST = 40  # below that rows of tokens have no room next to their labels


def columns(stream: TextIO | None) -> int | None:
    """Return COLUMNS, else the width of the terminal; None if both are unknown."""
    try:
        found = int(os.environ.get("COLUMNS") or 0)
        if found <= 0 and stream is not None and stream.isatty():
            found = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return None
    return max(found, NARROWEST) if found > 0 else None
