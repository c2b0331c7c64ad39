"""What is raised for a tokenizer that cannot be read or run."""

from __future__ import annotations


class SpecError(ValueError):
    """Raised when a tokenizer's material is unusable; names the file, the place and what to do."""

    def __init__(self, what: str, *, file: str = "", pointer: str = "", remedy: str = "") -> None:
        self.what, self.file, self.pointer, self.remedy = what, file, pointer, remedy
        place = " at ".join(part for part in (file, pointer) if part)
        super().__init__(": ".join(part for part in (place, what) if part))


class Unsupported(SpecError):
    """Raised, when a tokenizer is built and never later, for what the reference does not cover."""
