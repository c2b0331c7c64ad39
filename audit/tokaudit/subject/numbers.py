"""Numbers from files, with limits checked before they are used.

A file may state any number, and also what is none.  Whoever repeats a text, makes a list or counts
up to what a file says takes the number from here.
"""

from __future__ import annotations

import math

LARGEST = 2**64 - 1  # what loaders in Rust and C++ can hold


def whole(value: object, most: int = LARGEST, least: int = 0) -> int | None:
    """Return a whole number within limits, or None for anything else.

    >>> whole(512), whole(512, most=100), whole(-1)
    (512, None, None)
    >>> whole(True), whole(1.5), whole("512"), whole(float("nan"))
    (None, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        return None
    return value


def finite(value: float) -> bool:
    """Return whether a number fits a double, as most JSON readers require.

    >>> finite(10**30), finite(10**400), finite(float("nan"))
    (True, False, False)
    """
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
