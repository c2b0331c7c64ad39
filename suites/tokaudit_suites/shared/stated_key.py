"""One key of a settings file, and the finding that blames it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokaudit.report.model import Finding, Place, Severity


@dataclass(frozen=True, slots=True)
class StatedKey:
    """One key of a settings file as it is written; `base` is the name that the file is known by."""

    file: str
    key: str
    value: Any
    base: str = ""

    def place(self) -> Place:
        """The key as a place."""
        pointer = "/" + self.key.replace("~", "~0").replace("/", "~1")
        return Place("config", self.file, pointer, self.value)

    def reported(self, severity: Severity, message: str) -> Finding:
        """A finding that blames this key."""
        return Finding(severity, message, (self.place(),), cause=self.key)
