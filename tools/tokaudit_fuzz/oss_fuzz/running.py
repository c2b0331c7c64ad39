"""Gives a target to atheris, as OSS-Fuzz runs it."""

from __future__ import annotations

import sys
from collections.abc import Callable


def fuzz(test_one_input: Callable[[bytes], None]) -> None:
    """Run a target until libFuzzer ends the process."""
    import atheris  # which only the extra `fuzz` installs

    atheris.instrument_all()
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
