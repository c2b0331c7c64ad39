"""Shared vocabulary of rendering, without Jinja, which only the worker loads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tokaudit.subject.upstream.versions import FOUR_SHORT


class Dialect(StrEnum):
    """The library whose rules render a template."""

    TRANSFORMERS_4 = f"transformers {FOUR_SHORT}"
    TRANSFORMERS_5 = "transformers 5"


class Rule(StrEnum):
    """A rule that a template can break."""

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
    """A remark: its place, the words that would be written, and the condition."""

    notice: Notice
    line: int
    words: str
    under: str = ""


@dataclass(frozen=True, slots=True)
class Reaction:
    """Words that a template writes if a message contains others."""

    role: str
    said: str
    written: str
    text: str


class Construct(StrEnum):
    """A construct that engines other than Jinja read differently, or refuse."""

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
    """A place of a template with such a construct."""

    construct: Construct
    line: int
    code: str
