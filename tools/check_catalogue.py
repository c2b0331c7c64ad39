"""Writes the catalogue of our own checks, which spares `tokaudit checks` to import them."""

from __future__ import annotations

from pathlib import Path

import tokaudit_suites
from tokaudit.engine.check import all_checks
from tokaudit.foundation.catalogue import NAME, Listed, catalogue_of

FOLDER = Path(tokaudit_suites.__file__).parent


def catalogue() -> str:
    """What the file should hold, made from the checks of our suites."""
    ours = [each for each in all_checks() if _is_ours(each.function.__module__)]
    return catalogue_of(str(FOLDER), [Listed(c.id, str(c.severity), c.title) for c in ours])


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] == tokaudit_suites.__name__


if __name__ == "__main__":
    (FOLDER / NAME).write_text(catalogue(), encoding="utf-8")
