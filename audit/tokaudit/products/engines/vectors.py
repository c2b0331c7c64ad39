"""`tokaudit.vectors` and `tokaudit.replay`: texts with their ids, for any engine's own tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.foundation.errors import Skip, UnreadableError, UpstreamTrouble, UsageError
from tokaudit.foundation.own_version import own_version
from tokaudit.foundation.settings.places import path_of
from tokaudit.foundation.settings.setting import setting
from tokaudit.foundation.settings.words import Text
from tokaudit.products.engines.covering.vectors import VectorText, vector_texts
from tokaudit.products.engines.covering.vectors_file import (
    LARGEST,
    SCHEMA,
    FailedLine,
    Line,
    Vectors,
    digest_of,
    read,
)
from tokaudit.products.engines.covering.vectors_file import written as written
from tokaudit.products.identity.short_id import id_of
from tokaudit.runtimes.named_runtimes import named_runtime, runtime_request
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, Tokenizer
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.runtimes.worker.resources.budget import Budget
from tokaudit.subject.representations import parse_all, readable
from tokaudit_reference.spec import TokenizerSpec

MEMORY = 4_000_000_000  # bytes
ADDS, DECODES = "adds", "decode"  # abilities of an engine
ADDED = "lines with added tokens, which it does not say that it takes from a text"
AROUND = "lines with special tokens around the text"
TO_DECODE = "lines of ids to decode"


@dataclass(frozen=True)
class Replayed:
    """The answers that are not those of a file, how many lines were given, and what was not."""

    failed: tuple[FailedLine, ...]
    given: int
    not_given: Mapping[str, int]

    @property
    def whole(self) -> bool:
        """Whether every line was given: what an engine cannot do besides ids is not its fault."""
        return ADDED not in self.not_given


@dataclass(frozen=True, kw_only=True)
class ReplaySettings(BareFiles):
    """What a replay may be asked."""

    runtime: str = setting(
        "tokenizers",
        "the runtime that replays them: NAME, NAME@/path/to/python, call:, cmd: or http://host:port",
        Text("RUNTIME", "a runtime"),
    )


@keywords(BareFiles)
def vectors(subject: SubjectName, asked: BareFiles) -> Vectors:
    """Choose at most 500 texts that cover a tokenizer, with the reference's result for each.

    >>> import tokaudit
    >>> found = tokaudit.vectors("models/checkpoint")
    >>> len(found.lines) <= 500, found.id.startswith("id1-")
    (True, True)
    """
    opened = subject_of(subject, asked)
    spec = readable(opened).parsed[0][1]
    try:
        with WorkerTokenizer(reference_request(spec), limits=_limits()) as reference:
            lines = lines_of(vector_texts(spec), reference)
    except UpstreamTrouble as error:
        raise UnreadableError(f"{opened.name}: {error}") from error
    made_by = f"tokaudit {own_version()}"
    return Vectors(SCHEMA, opened.name, id_of(spec).id, made_by, digest_of(lines), lines)


def lines_of(texts: Sequence[VectorText], reference: Tokenizer) -> list[Line]:
    """Each text that the reference encodes, with its ids and what they become again."""
    asked = [each.text for each in texts]
    plain, around = (
        reference.encode(asked, EncodeOptions(add_special_tokens=add)) for add in (False, True)
    )
    known = [at for at, one in enumerate(plain) if one.error is None]
    ids = [plain[at].ids for at in known]
    decodes = "decode" in reference.capabilities
    decoded = reference.decode(ids, DecodeOptions()) if decodes else [None] * len(ids)
    return [
        _line(texts[at], plain[at], around[at], text)
        for at, text in zip(known, decoded, strict=True)
    ]


def _line(
    asked: VectorText, plain: Encoding, around: Encoding, decoded: bytes | str | None
) -> Line:
    other = list(around.ids) if around.error is None and around.ids != plain.ids else None
    text = decoded if isinstance(decoded, str) else None
    return Line(asked.about, asked.text, list(plain.ids), other, text)


@keywords(ReplaySettings)
def replay(subject: SubjectName, file: str, asked: ReplaySettings) -> Replayed:
    """Return the lines of a vectors file for which a runtime's ids or text differ.

    What it could not be given is counted in `not_given`, and is nothing that it passed.
    """
    path = path_of("file", file)
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST else b""
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from error
    found, runtime = read(data, file), named_runtime(asked.runtime)
    opened = subject_of(subject, asked)
    try:
        wanted = runtime_request(opened, parse_all(opened), runtime)
    except Skip as absent:
        raise UsageError(str(absent)) from absent
    try:
        with WorkerTokenizer(wanted.request, limits=_limits()) as tokenizer:
            return replayed(found.lines, tokenizer, wanted.spec)
    except UpstreamTrouble as error:
        raise UnreadableError(f"{runtime.name}: {error}") from error


def replayed(lines: Sequence[Line], tokenizer: Tokenizer, spec: TokenizerSpec) -> Replayed:
    """What a tokenizer gives for the lines that it can be given."""
    able, numbered = tokenizer.capabilities, list(enumerate(lines, 1))
    not_given: dict[str, int] = {}
    if able.isdisjoint({"special", "parses"}):
        contents = [token.content for token in spec.added_tokens if token.content]
        numbered = [row for row in numbered if not any(each in row[1].text for each in contents)]
        not_given[ADDED] = len(lines) - len(numbered)
    for ability, what in ((ADDS, AROUND), (DECODES, TO_DECODE)):
        if ability not in able:
            not_given[what] = len(numbered)
    failed = tuple(_failures(numbered, tokenizer))
    left = {what: count for what, count in not_given.items() if count}
    return Replayed(failed, len(numbered), left)


def _failures(numbered: Sequence[tuple[int, Line]], tokenizer: Tokenizer) -> Iterator[FailedLine]:
    able, texts = tokenizer.capabilities, [line.text for _, line in numbered]
    plain = tokenizer.encode(texts, EncodeOptions())
    for (number, line), one in zip(numbered, plain, strict=True):
        yield from _failed(number, line, "ids", one, line.ids)
    if ADDS in able:
        around = tokenizer.encode(texts, EncodeOptions(add_special_tokens=True))
        for (number, line), one, other in zip(numbered, plain, around, strict=True):
            if one.ids == tuple(line.ids):  # else the line has failed already
                wanted = line.ids if line.with_special is None else line.with_special
                yield from _failed(number, line, "with_special", other, wanted)
    if DECODES in able:
        for number, line in numbered:
            if line.decoded is not None and line.ids:
                yield from _decoded_differently(number, line, tokenizer)


def _decoded_differently(number: int, line: Line, tokenizer: Tokenizer) -> Iterator[FailedLine]:
    try:
        [found] = tokenizer.decode([line.ids])
    except UpstreamTrouble as error:
        yield FailedLine(number, line, "decoded", str(error))
        return
    if found != line.decoded:
        yield FailedLine(number, line, "decoded", repr(found))


def _failed(
    number: int, line: Line, what: str, found: Encoding, wanted: Sequence[int]
) -> Iterator[FailedLine]:
    if found.error is not None:
        yield FailedLine(number, line, "refused", found.error)
    elif found.ids != tuple(wanted):
        yield FailedLine(number, line, what, str(list(found.ids)))


def _limits() -> WorkerLimits:
    return WorkerLimits(question=60.0, budget=Budget(MEMORY))
