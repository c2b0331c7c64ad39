"""The terms of rendering that everybody speaks, without Jinja: only the worker ever loads that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Dialect(StrEnum):
    """Whose rules a template is rendered by."""

    TRANSFORMERS_4 = "transformers 4.57"
    TRANSFORMERS_5 = "transformers 5"


class Rule(StrEnum):
    """Which rule a template breaks."""

    DUNDER = "dunder access"
    ATTR = "the filter attr"
    IMPORT = "an import"
    CALL = "a call of what is not given"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One place that makes a template unsafe to render."""

    rule: Rule
    line: int
    code: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.rule}: {self.code}"


class Notice(StrEnum):
    """What was noticed."""

    HIDDEN_WORDS = "words under a comparison of content"
    ADDRESS = "an address"
    CLOCK = "the clock"


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing noticed: where, the words that would be written, and under which test."""

    notice: Notice
    line: int
    words: str
    under: str = ""
