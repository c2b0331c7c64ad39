"""An encoder whose module takes its time to import, as a large library does on a busy machine."""

from __future__ import annotations

import time

time.sleep(1)


def encode(text: str) -> list[int]:
    """One id, the length of the text."""
    return [len(text)]
