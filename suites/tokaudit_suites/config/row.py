"""What the table of settings says of one key, and what a rule is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tokaudit.report.model import Finding, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec


class Decides(StrEnum):
    """What a setting decides."""

    IDS = "ids"
    TEXT = "text"
    LENGTHS = "lengths"
    INPUTS = "inputs"
    FILES = "files"
    NOTHING = "nothing"  # of the tokenizer


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


@dataclass(frozen=True, slots=True)
class Ground:
    """What a setting is compared with."""

    subject: Subject
    spec: TokenizerSpec


Judge = Callable[[Ground, StatedKey], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Row:
    """A key of a file, what it decides, and who compares it with the tokenizer.

    `judge` is the rule of this suite; `check` names the check that holds the key where it is
    another's.  `keeps` and `breaks` are two values for the small folder of the tests.
    """

    file: str
    key: str
    decides: Decides
    source: str
    judge: Judge | None = None
    check: str = ""
    keeps: Any = None
    breaks: Any = None
