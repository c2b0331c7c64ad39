"""A healthy folder that a function writes, and how a change of it becomes a fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit_faults.fault import FOLDERS, Change, registering

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


def breaks(healthy: Writer, *checks: str, **stated: Any) -> Callable[[Writer], Writer]:
    """Register a way to break the folder; its component is the suite of the first check."""
    component = checks[0].partition("/")[0]
    return registering(FOLDERS, component, (Written(healthy),), checks, **stated)
