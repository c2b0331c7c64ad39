"""Questions to a worker: a type for each, and their frame."""

from __future__ import annotations

from typing import Any

import msgspec

from tokaudit.runtimes.protocol import Continuation, DecodeOptions, EncodeOptions


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """One question; its tag is its name in errors."""

    @property
    def op(self) -> str:
        """Return the name of the question."""
        return str(self.__struct_config__.tag)


class Load(Question, frozen=True, tag="load"):
    """Loads what a `LoadRequest` names; `runtimes.request` validates its fields."""

    request: dict[str, Any]


class Vocab(Question, frozen=True, tag="vocab"):
    """Requests every id with its token."""


class Encode(Question, frozen=True, tag="encode"):
    """Requests an encoding for each text."""

    texts: list[str]
    options: EncodeOptions = EncodeOptions()


class Decode(Question, frozen=True, tag="decode"):
    """Requests the decoded output of each list of ids."""

    ids: list[list[int]]
    options: DecodeOptions = DecodeOptions()


class Tables(Question, frozen=True, tag="tables"):
    """Requests the differences of the library's Unicode tables from this Python's."""

    names: list[str]
    characters: str


class Trace(Question, frozen=True, tag="trace"):
    """Requests the stages of one text."""

    text: str
    parse_special: bool


class PreTokens(Question, frozen=True, tag="pre_tokens"):
    """Requests the pieces of each text for the model."""

    texts: list[str]


class NormalForms(Question, frozen=True, tag="normal_forms"):
    """Requests the normal form of each scalar of a half-open range."""

    first: int
    end: int


class Digests(Question, frozen=True, tag="digests"):
    """Requests the number and digest of each text's ids."""

    texts: list[str]


class RoundTrips(Question, frozen=True, tag="round_trips"):
    """Requests whether each list of ids is the encoding of its own text."""

    ids: list[list[int]]


class Continue(Question, frozen=True, tag="continue"):
    """Requests whether texts begin with the ids of their parts."""

    asked: list[Continuation]


class TimedEncode(Question, frozen=True, tag="timed_encode"):
    """Requests the seconds for each of several encodings of all texts."""

    texts: list[str]
    repeats: int


class Do(Question, frozen=True, tag="do"):
    """Requests an installed job, whose request fields only the job knows."""

    job: str
    request: dict[str, Any]


AnyQuestion = (
    Load | Vocab | Encode | Decode | Tables | Trace | PreTokens | NormalForms | Digests
    | RoundTrips | Continue | TimedEncode | Do
)  # fmt: skip


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question with its number, and limits for its answer."""

    number: int
    question: AnyQuestion
    within: float  # seconds of the wall clock
    processor: float  # seconds
    largest: int | None = None  # bytes of the answer
