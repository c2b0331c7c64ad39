"""A healthy folder that a function writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tokaudit_faults.fault import Change

Writer = Callable[[Path], object]


@dataclass(frozen=True)
class Written:
    """A folder that a function writes, and that a change breaks in place."""

    healthy: Writer

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.healthy.__name__

    def write(self, folder: Path, change: Change | None = None, seed: str = "") -> None:
        """Write the folder; nothing is drawn."""
        self.healthy(folder)
        if change is not None:
            change(folder)
