"""The terms of rendering that everybody speaks, without Jinja: only the worker ever loads that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tokaudit.subject.upstream.versions import FOUR_SHORT


class Dialect(StrEnum):
    """The library whose rules render a template."""

    TRANSFORMERS_4 = f"transformers {FOUR_SHORT}"
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
    """The kind of a remark."""

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


@dataclass(frozen=True, slots=True)
class Reaction:
    """Words that a template writes where a message holds others: who said what, and the text."""

    role: str
    said: str
    written: str
    text: str


class Construct(StrEnum):
    """A construct that engines other than Jinja itself read otherwise, or refuse."""

    RAW = "a raw block"
    KEPT_INDENT = "the tag {%+"
    WITH = "a with block"
    RECURSIVE = "a recursive loop"
    CALL_BLOCK = "a call or filter block"
    PRINTED_CONSTANT = "a printed true, false or none"
    PRINTED_COLLECTION = "a printed list or mapping"
    PRINTED_FLOAT = "a printed float without a fraction"
    CHAINED = "a chained comparison"
    REPEATED = "a repeated text"
    DIVIDED = "a division by /"
    NEGATIVE = "// or % of what may be negative"
    RARE_FILTER = "a filter that few engines have"
    PYTHON_METHOD = "a method that few engines have"
    PYTHON_FORMAT = "text % values"
    GLOBAL = "dict, cycler or joiner"
    MAPPED_FILTER = "map of a filter"
    CYCLE = "loop.cycle"
    STRIP = "strip of given characters"
    STRIP_LINE_ENDS = "strip of line ends"
    SPLIT = "split without a separator"
    LENGTH = "the length of a content"
    SLICE = "a slice of a content"
    WITHIN = "a search in a content by in"
    JINJA_FILTER = "a filter that onnxruntime lacks"
    METHOD = "a method that onnxruntime lacks"
    TOJSON = "the filter tojson"
    TOJSON_OPTIONS = "options of tojson"
    KEPT_NAME = "a name set in a branch of a loop, and read without it"


@dataclass(frozen=True, slots=True)
class Divergence:
    """One place of a template that holds such a construct."""

    construct: Construct
    line: int
    code: str
