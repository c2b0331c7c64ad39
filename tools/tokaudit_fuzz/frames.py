"""Frames as a worker that turned against us writes them: each is a message or a `FrameError`."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from tokaudit.runtimes.worker.frames import FrameError, receive
from tokaudit_fuzz.sample import Files, written

NAME = "answer.frame"
ANSWERS = (
    {"number": 1, "seconds": 0.1, "processor": 0.1, "result": [{"i": [1, 2], "o": [[0, 1]]}]},
    {"number": 2, "seconds": 0.1, "processor": 0.1, "error": "ValueError: no"},
    {"number": 3, "seconds": 0, "processor": 0, "result": {"adapter": "x", "notes": []}},
)


def samples() -> tuple[Files, ...]:
    """An answer in a frame, one of each kind."""
    bodies = [written(answer) for answer in ANSWERS]
    return tuple({NAME: struct.pack(">I", len(body)) + body} for body in bodies)


def run(folder: Path) -> bool:
    """Read the frame; whether it was taken."""
    descriptor = os.open(folder / NAME, os.O_RDONLY)
    try:
        receive(descriptor)
    except FrameError:
        return False
    finally:
        os.close(descriptor)
    return True
