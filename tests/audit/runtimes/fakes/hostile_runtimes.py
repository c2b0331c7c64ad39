"""Encoders that do what no runtime should, for a worker to load with `call:`."""

from __future__ import annotations

import os
import sys
from typing import Any


def code_points(text: str) -> list[int]:
    """An id for each code point, with a line on both streams."""
    print("working", file=sys.stderr)
    print("working")
    return [ord(character) for character in text]


def negative(text: str) -> list[int]:
    """Ids that no vocabulary has."""
    return [-1] * len(text)


def not_numbers(text: str) -> list[Any]:
    """No number at all for some texts."""
    return [float("nan")] if len(text) > 3 else [7]


def __getattr__(name: str) -> object:
    """`ends_at_once` ends the process while it is loaded; nothing else is here."""
    if name == "ends_at_once":
        os._exit(3)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
