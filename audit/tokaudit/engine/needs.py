"""Needs of checks: the types that a check may request by annotating a parameter.

`tokaudit.engine.providers` builds those of the core; a suite package may have more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, Self

from tokaudit.engine.evidence import shown, token_names
from tokaudit.engine.options import Options as Options
from tokaudit.engine.texts.probes import Drawn
from tokaudit.runtimes.protocol import (
    Continuation,
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.worker.known_answers import Transcript
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.representations import Representation
from tokaudit.subject.roles import Roles
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.trace import TracedSegment

if TYPE_CHECKING:  # an audit without a base compares nothing
    from tokaudit.engine.sides.trial import Trial
    from tokaudit.report.comparison import Comparison


@dataclass(frozen=True)
class Others:
    """Further subjects and encoders, as the user named them, and the subject's original."""

    base: str | None = None
    against: str | None = None
    original: Subject | None = None
    base_files: Roles = ()  # the files of each whose names do not say what they are
    against_files: Roles = ()
    download: bool = False
    tokenizer: str | None = None  # of those that are chat templates alone


@dataclass(frozen=True)
class ComparedRuntimes:
    """Results of each runtime that the user named, compared with the subject's file."""

    all: tuple[Comparison, ...]


@dataclass(frozen=True)
class Base:
    """The other subject that this one is compared with, opened and parsed."""

    subject: Subject
    spec: TokenizerSpec
    representation: Representation | None = None  # None for a spec that no file states
    within: bool = False  # of the repository of the subject

    @property
    def called(self) -> str:
        """Return the name for messages."""
        return "the main tokenizer" if self.within else "the base"


@dataclass(frozen=True)
class BaseTrial:
    """The base and the subject of an audit, with their encoders; the base is first."""

    trial: Trial


@dataclass(frozen=True)
class Original(Base):
    """The tokenizer of the same repository that the subject is a copy of, parsed."""

    within: bool = True


@dataclass(frozen=True)
class Contents:
    """Reader of the subject's files for the checks, which open none themselves."""

    def whole(self, file: SourceFile) -> bytes:
        """Read a regular file of bounded size."""
        return read_bytes(file)

    def beginning(self, file: SourceFile) -> bytes:
        """Read the first few bytes of a regular file of any size, as it was listed."""
        return file.content.beginning

    def digest(self, file: SourceFile) -> str:
        """Return the SHA-256 of a regular file of any size."""
        return file.content.digest_of_all()


@dataclass(frozen=True)
class DrawnTexts:
    """The texts of a tier and of all other entries, before any library encodes them."""

    probes: Drawn
    entries: Drawn

    @cached_property
    def characters(self) -> str:
        """Return every character of the texts, in order."""
        return "".join(sorted(set().union(*self.probes.texts, *self.entries.texts)))

    @property
    def too_long(self) -> int:
        """Count the texts that were left out as too long."""
        return self.probes.too_long + self.entries.too_long


@dataclass(frozen=True)
class Probes:
    """Texts that encoders are compared on, and how they were drawn.

    `entries` are those of all other vocabulary entries, on which every encoder is asked for the
    ids and for no more.
    """

    texts: tuple[str, ...]
    method: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answers:
    """Encodings of some texts by one encoder, shared by all checks."""

    texts: tuple[str, ...]
    encodings: tuple[Encoding, ...]  # of the first of the texts, as far as they were asked

    @classmethod
    def of(cls, encoder: Tokenizer, texts: Sequence[str]) -> Self:
        """Encode all of the texts."""
        return cls(tuple(texts), tuple(encoder.encode(texts)))


class UpstreamAnswers(Answers):
    """The upstream library's encodings of the probe texts, shared by all checks."""


class ReferenceAnswers(Answers):
    """The reference's encodings of the probe texts, shared by all checks."""


class UpstreamEntries(Answers):
    """The upstream library's encodings of the other entries' texts, as far as it ran."""


class ReferenceEntries(Answers):
    """The reference's encodings of the other entries' texts, as far as it ran."""


class UpstreamBehaviour(Answers):
    """The upstream library's encodings of the frozen probes, which never change."""


class ReferenceBehaviour(Answers):
    """The reference's encodings of the frozen probes, which never change."""


@dataclass(frozen=True)
class UpstreamLoad:
    """The upstream library's load of a file: `tokenizer` on success, else its `error`."""

    adapter: str
    tokenizer: Tokenizer | None
    error: str = ""
    crashed: bool = False


class _OneTokenizer:
    """Base of tokenizers with their own type, so that checks can request one by annotation."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.info.package} {self.info.version}>"

    @property
    def info(self) -> TokenizerInfo:
        return self._tokenizer.info

    @property
    def transcript(self) -> Transcript | None:
        """Return the encoder's recorded answers of the run, to replay for equal bytes."""
        return getattr(self._tokenizer, "transcript", None)

    @property
    def capabilities(self) -> frozenset[str]:
        return self._tokenizer.capabilities

    def vocab(self) -> dict[int, bytes | str]:
        return self._tokenizer.vocab()

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return self._tokenizer.encode(texts, options)

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        return self._tokenizer.decode(ids, options)


class Upstream(_OneTokenizer):
    """The upstream library that production would load these files with, in a worker."""


class Reference(_OneTokenizer):
    """The reference implementation running the subject's spec, in a worker."""

    def differences(self, asked: Sequence[Continuation]) -> list[int | None]:
        """Return the index of each text's first id unlike that of its parts, or -1.

        None where that is not known.
        """
        find = getattr(self._tokenizer, "differences", None)
        return find(asked) if find else [None] * len(asked)

    def pre_tokens(self, texts: Sequence[str]) -> list[list[str] | None]:
        """Return the pieces of each text that reach the model; None if unknown."""
        find = getattr(self._tokenizer, "pre_tokens", None)
        return find(texts) if find else [None] * len(texts)


class Against(_OneTokenizer):
    """The other encoder, named by `--against`, in a worker, with its own token names.

    `spec` is what its files say, where it is a subject; `names` are empty where it names no token.
    """

    def __init__(self, tokenizer: Tokenizer, spec: TokenizerSpec | None = None) -> None:
        super().__init__(tokenizer)
        self.spec = spec

    @cached_property
    def names(self) -> dict[int, str]:
        """Map ids to display names."""
        if self.spec is not None:
            return token_names(self.spec)
        listed = self.vocab() if "vocab" in self.capabilities else {}
        return {id: shown(value) for id, value in listed.items()}

    @property
    def file(self) -> str:
        """Return the file that states its vocabulary."""
        return self.spec.files[0] if self.spec is not None and self.spec.files else ""


class Stopwatch(Protocol):
    """A tokenizer that times itself, without the cost of reaching it."""

    @property
    def info(self) -> TokenizerInfo:
        """Return the measured tokenizer."""
        ...

    def timed_encode(self, texts: Sequence[str], repeats: int = 1) -> list[float]:
        """Return the seconds for each of `repeats` encodings of all texts."""
        ...


@dataclass(frozen=True)
class Yardstick:
    """A tokenizer to time others against; `digest` begins its file's SHA-256."""

    stopwatch: Stopwatch
    digest: str


@dataclass(frozen=True)
class TimedUpstream:
    """The upstream library, to be timed inside its worker."""

    stopwatch: Stopwatch


class Traceable(Protocol):
    """A tokenizer that traces its stages."""

    def trace(self, text: str) -> Sequence[TracedSegment]:
        """Return the stages of one text."""
        ...


@dataclass(frozen=True)
class Traces:
    """Stages of texts, by the reference."""

    tracer: Traceable

    @property
    def transcript(self) -> Transcript | None:
        """Return the tracer's recorded answers of the run, to replay for equal bytes."""
        return getattr(self.tracer, "transcript", None)

    def given(self, text: str) -> list[str]:
        """Return the pieces of a text for the model, after normalizer and pre-tokenizer."""
        segments = self.tracer.trace(text)
        return [piece.text for segment in segments for piece in segment.pieces]
