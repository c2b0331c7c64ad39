"""Prints the figures of the code next to their ratchets."""

from __future__ import annotations

import tomllib
from pathlib import Path

from structure.figures import figures

ROOT = Path(__file__).parents[2]
RATCHETS = Path(__file__).with_name("ratchets.toml")


def main() -> None:
    """One line for each figure: what it is now, and what it may be."""
    most = tomllib.loads(RATCHETS.read_text(encoding="utf-8"))
    for name, now in figures(ROOT).items():
        print(f"{name:40} {now:8,} of {most[name]:,}")
