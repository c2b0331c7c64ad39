"""How many examples a law is tried on: a quarter in the gate, all of them with `make all-examples`.

What is drawn is the same in every run of one number, so a law that holds in the gate is not red by
chance, and the wide run draws what the gate does not.
"""

from __future__ import annotations

import os

ALL = os.environ.get("TOKAUDIT_EXAMPLES") == "all"
LEAST = 40


def some(most: int) -> int:
    """A share of as many examples as a law is tried on where there is time."""
    return most if ALL else max(min(most, LEAST), most // 4)
