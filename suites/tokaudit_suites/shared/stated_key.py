"""One key of a settings file, and the finding that blames it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Finding, Place, Repair, Severity
from tokaudit.subject.safe_json import pointer
from tokaudit_suites.shared.repairs import removed, repaired, set_to


@dataclass(frozen=True, slots=True)
class StatedKey:
    """One key of a settings file as written; `base` is the standard name of the file."""

    file: str
    key: str
    value: Any
    base: str = ""

    def place(self) -> Place:
        """Return the key as a place."""
        return Place("config", self.file, pointer(self.key), self.value)

    def reported(self, severity: Severity, message: str, repair: Repair | None = None) -> Finding:
        """Build a finding that blames this key, with a repair if one is known."""
        return Finding(severity, message, (self.place(),), cause=self.key, repair=repair)

    def as_it_should_be(self, wanted: Any) -> Repair | None:
        """Set the key to another value."""
        return repaired(set_to(self.place(), wanted))

    def left_out(self) -> Repair | None:
        """Remove the key from the file."""
        return repaired(removed(self.place()))
