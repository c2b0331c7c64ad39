"""The errors of a tokenizer that cannot be read or run."""

from __future__ import annotations

LONGEST = 2000  # characters of what is said: it may quote a value of the material


class SpecError(ValueError):
    """Raised when a tokenizer's material is unusable; names the file, the place and what to do.

    The message is one line and a short one, whatever the names in the material are.
    """

    def __init__(self, what: str, *, file: str = "", pointer: str = "", remedy: str = "") -> None:
        what = what if len(what) <= LONGEST else f"{what[:LONGEST]}…"
        self.what, self.file, self.pointer, self.remedy = what, file, pointer, remedy
        place = " at ".join(part for part in (file, pointer) if part)
        super().__init__(" ".join(": ".join(filter(None, (place, what))).splitlines()))

    @property
    def advice(self) -> str:
        """The message and, as a sentence after it, what to do.

        >>> SpecError("has no ids", file="v.json", remedy="Take the original file.").advice
        'v.json: has no ids. Take the original file.'
        """
        return f"{self}. {self.remedy}" if self.remedy else str(self)


class Unsupported(SpecError):
    """Raised, when a tokenizer is built and never later, for what the reference does not cover."""
