"""One key of a settings file, and the finding that blames it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Finding, Place, Repair, Severity
from tokaudit.subject.safe_json import pointer
from tokaudit_suites.shared.repairs import removed, repaired, set_to


@dataclass(frozen=True, slots=True)
class StatedKey:
    """One key of a settings file as it is written; `base` is the name that the file is known by."""

    file: str
    key: str
    value: Any
    base: str = ""

    def place(self) -> Place:
        """The key as a place."""
        return Place("config", self.file, pointer(self.key), self.value)

    def reported(self, severity: Severity, message: str, repair: Repair | None = None) -> Finding:
        """A finding that blames this key, and what is to be done about it where that is known."""
        return Finding(severity, message, (self.place(),), cause=self.key, repair=repair)

    def as_it_should_be(self, wanted: Any) -> Repair | None:
        """The key with another value."""
        return repaired(set_to(self.place(), wanted))

    def left_out(self) -> Repair | None:
        """The file without the key."""
        return repaired(removed(self.place()))
