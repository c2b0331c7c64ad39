"""The questions to a worker: a type for each, and the frame that it travels in."""

from __future__ import annotations

from typing import Any

import msgspec

from tokaudit.runtimes.protocol import Continuation, DecodeOptions, EncodeOptions


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """One question; its tag is what errors call it."""

    @property
    def op(self) -> str:
        """The name of the question."""
        return str(self.__struct_config__.tag)


class Load(Question, frozen=True, tag="load"):
    """Load what a `LoadRequest` names; `runtimes.request` reads its fields, and refuses others."""

    request: dict[str, Any]


class Vocab(Question, frozen=True, tag="vocab"):
    """Every id with its token."""


class Encode(Question, frozen=True, tag="encode"):
    """An encoding for each text."""

    texts: list[str]
    options: EncodeOptions = EncodeOptions()


class Decode(Question, frozen=True, tag="decode"):
    """The output of each list of ids."""

    ids: list[list[int]]
    options: DecodeOptions = DecodeOptions()


class Tables(Question, frozen=True, tag="tables"):
    """Where the library's tables of Unicode are not this Python's."""

    names: list[str]
    characters: str


class Trace(Question, frozen=True, tag="trace"):
    """The stages of one text."""

    text: str
    parse_special: bool


class PreTokens(Question, frozen=True, tag="pre_tokens"):
    """A question for the pieces of each text that the model is given."""

    texts: list[str]


class NormalForms(Question, frozen=True, tag="normal_forms"):
    """A question for the normal form of each scalar of a range, its end left out."""

    first: int
    end: int


class Digests(Question, frozen=True, tag="digests"):
    """The number of ids of each text, and a digest of them."""

    texts: list[str]


class RoundTrips(Question, frozen=True, tag="round_trips"):
    """Whether each list of ids is what its own text is encoded to."""

    ids: list[list[int]]


class Continue(Question, frozen=True, tag="continue"):
    """Whether texts begin with the ids of their parts."""

    asked: list[Continuation]


class TimedEncode(Question, frozen=True, tag="timed_encode"):
    """Seconds for each of several encodings of all texts."""

    texts: list[str]
    repeats: int


class Do(Question, frozen=True, tag="do"):
    """An installed job on a request, whose fields that job knows."""

    job: str
    request: dict[str, Any]


AnyQuestion = (
    Load | Vocab | Encode | Decode | Tables | Trace | PreTokens | NormalForms | Digests
    | RoundTrips | Continue | TimedEncode | Do
)  # fmt: skip


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question with its number, what its answer may take, and how large that may be."""

    number: int
    question: AnyQuestion
    within: float  # seconds of the wall clock
    processor: float  # seconds
    largest: int | None = None  # bytes of the answer
