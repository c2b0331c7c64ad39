"""`tokaudit.vectors` and `tokaudit.replay`: texts with ids, to test any engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.foundation.errors import Skip, UnreadableError, UpstreamTrouble, UsageError
from tokaudit.foundation.installed_version import own_version
from tokaudit.foundation.settings.places import path_of
from tokaudit.foundation.settings.setting import setting
from tokaudit.foundation.settings.words import Text
from tokaudit.products.engines.covering.decodes import decodes_of
from tokaudit.products.engines.covering.vectors import VectorText, vector_texts
from tokaudit.products.engines.covering.vectors_file import (
    LARGEST,
    SCHEMA,
    Decode,
    FailedLine,
    Line,
    Vectors,
    digest_of,
    read,
)
from tokaudit.products.engines.covering.vectors_file import written as written
from tokaudit.products.engines.referee.laws import HELD_BACK
from tokaudit.products.engines.referee.match import Match
from tokaudit.products.identity.short_id import id_of
from tokaudit.runtimes.named_runtimes import named_runtime, runtime_request
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, Tokenizer
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.runtimes.worker.resources.budget import Budget
from tokaudit.subject.representations import parse_all, readable
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_or_text import text_of

MEMORY = 4_000_000_000  # bytes
SHRUNK = 20  # failed lines whose texts are made minimal
# Abilities of an engine.
ADDS, DECODES, SWITCHES, STREAMS = "adds", "decode", "special", "stream"
PLAIN, ADD = EncodeOptions(), EncodeOptions(add_special_tokens=True)
AS_TEXT = EncodeOptions(parse_special=False)
ADDED = "lines with added tokens, which it does not say that it takes from a text"
AROUND = "lines with special tokens around the text"
SWITCHED = "lines whose special tokens are taken as text"
TO_DECODE = "lines of ids to decode"


@dataclass(frozen=True)
class Replayed:
    """The answers that are not those of a file, how many lines were given, and what was not."""

    failed: tuple[FailedLine, ...]
    given: int
    not_given: Mapping[str, int]

    @property
    def whole(self) -> bool:
        """Return whether every line was run, ignoring abilities besides ids."""
        return ADDED not in self.not_given


@dataclass(frozen=True, kw_only=True)
class ReplaySettings(BareFiles):
    """Settings of a replay."""

    runtime: str = setting(
        "tokenizers",
        "with --replay: the runtime to check, as NAME, NAME@/path/to/python, call:module:object, "
        "cmd:program or http://host:port",
        Text("RUNTIME", "a runtime"),
    )


@keywords(BareFiles)
def vectors(subject: SubjectName, asked: BareFiles) -> Vectors:
    """Choose at most 500 texts and ids that cover a tokenizer, with the reference's results.

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
            decodes = decodes_of(spec, reference)
    except UpstreamTrouble as error:
        raise UnreadableError(f"{opened.name}: {error}") from error
    made_by = f"tokaudit {own_version()}"
    digest = digest_of(lines, decodes)
    return Vectors(SCHEMA, opened.name, id_of(spec).id, made_by, digest, lines, decodes)


def lines_of(texts: Sequence[VectorText], reference: Tokenizer) -> list[Line]:
    """Return each text that the reference encodes, with its ids and decoded text."""
    asked = [each.text for each in texts]
    plain, around, as_text = (reference.encode(asked, options) for options in (PLAIN, ADD, AS_TEXT))
    known = [at for at, one in enumerate(plain) if one.error is None]
    ids = [plain[at].ids for at in known]
    decodes = "decode" in reference.capabilities
    decoded = reference.decode(ids, DecodeOptions()) if decodes else [None] * len(ids)
    return [
        Line(
            texts[at].about,
            texts[at].text,
            list(plain[at].ids),
            _other(around[at], plain[at]),
            text if isinstance(text, str) else None,
            _other(as_text[at], plain[at]),
        )
        for at, text in zip(known, decoded, strict=True)
    ]


def _other(found: Encoding, plain: Encoding) -> list[int] | None:
    return list(found.ids) if found.error is None and found.ids != plain.ids else None


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
            again = replayed(found.lines, tokenizer, wanted.spec, found.decodes)
            with WorkerTokenizer(reference_request(wanted.spec), limits=_limits()) as reference:
                match = Match(wanted.spec, reference, tokenizer)
                return replace(again, failed=tuple(_with_minimal(again.failed, match)))
    except UpstreamTrouble as error:
        raise UnreadableError(f"{runtime.name}: {error}") from error


def replayed(
    lines: Sequence[Line],
    tokenizer: Tokenizer,
    spec: TokenizerSpec,
    decodes: Sequence[Decode] = (),
) -> Replayed:
    """Replay all lines, and ids to decode, that a tokenizer supports."""
    able, numbered = tokenizer.capabilities, list(enumerate(lines, 1))
    not_given: dict[str, int] = {}
    if able.isdisjoint({"special", "parses"}):
        contents = [token.content for token in spec.added_tokens if token.content]
        numbered = [row for row in numbered if not any(each in row[1].text for each in contents)]
        not_given[ADDED] = len(lines) - len(numbered)
    if SWITCHES not in able:
        not_given[SWITCHED] = sum(line.as_text is not None for line in lines)
    if ADDS not in able:
        not_given[AROUND] = len(numbered)
    if DECODES not in able:
        not_given[TO_DECODE] = len(numbered) + len(decodes)
    failed = [*_failures(numbered, tokenizer)]
    if DECODES in able:
        failed += _decoding_failures([*numbered, *enumerate(decodes, 1)], tokenizer)
    left = {what: count for what, count in not_given.items() if count}
    return Replayed(tuple(failed), len(numbered) + len(decodes) * (DECODES in able), left)


def _failures(numbered: Sequence[tuple[int, Line]], tokenizer: Tokenizer) -> Iterator[FailedLine]:
    able, texts = tokenizer.capabilities, [line.text for _, line in numbered]
    plain = tokenizer.encode(texts, PLAIN)
    for (number, line), one in zip(numbered, plain, strict=True):
        yield from _failed(number, line, "ids", one, line.ids)
    right = [
        row for row, one in zip(numbered, plain, strict=True) if one.ids == tuple(row[1].ids)
    ]  # the others have failed already
    for ability, key, options in ((ADDS, "with_special", ADD), (SWITCHES, "as_text", AS_TEXT)):
        if ability in able:
            found = tokenizer.encode([line.text for _, line in right], options)
            for (number, line), one in zip(right, found, strict=True):
                wanted = getattr(line, key)
                yield from _failed(number, line, key, one, line.ids if wanted is None else wanted)


def _decoding_failures(
    numbered: Sequence[tuple[int, Line | Decode]], tokenizer: Tokenizer
) -> Iterator[FailedLine]:
    """Yield rows that decode to another text, at once or in a stream."""
    rows = [(number, line) for number, line in numbered if line.decoded is not None and line.ids]
    yield from _decoded_differently("decoded", rows, tokenizer, DecodeOptions())
    if STREAMS in tokenizer.capabilities:
        whole = [row for row in rows if HELD_BACK not in (row[1].decoded or "")]
        yield from _decoded_differently("streamed", whole, tokenizer, DecodeOptions(streamed=True))


def _decoded_differently(
    what: str,
    rows: Sequence[tuple[int, Line | Decode]],
    tokenizer: Tokenizer,
    options: DecodeOptions,
) -> Iterator[FailedLine]:
    """Yield the failing rows, tested together, or one by one if that is refused."""
    try:
        found = tokenizer.decode([line.ids for _, line in rows], options) if rows else []
    except UpstreamTrouble as error:
        if len(rows) == 1:
            yield FailedLine(*rows[0], what, str(error))
            return
        for row in rows:
            yield from _decoded_differently(what, [row], tokenizer, options)
        return
    for (number, line), text in zip(rows, found, strict=True):
        if text_of(text) != line.decoded:
            yield FailedLine(number, line, what, repr(text))


def _failed(
    number: int, line: Line, what: str, found: Encoding, wanted: Sequence[int]
) -> Iterator[FailedLine]:
    if found.error is not None:
        yield FailedLine(number, line, "refused", found.error)
    elif found.ids != tuple(wanted):
        yield FailedLine(number, line, what, str(list(found.ids)))


def _with_minimal(failed: Sequence[FailedLine], match: Match) -> Iterator[FailedLine]:
    """Add a minimal differing text to the first failed lines."""
    shrunk = [each for each in failed if each.what == "ids"][:SHRUNK]
    for each in failed:
        if each not in shrunk or not isinstance(each.line, Line):
            yield each
            continue
        try:
            small = match.shrunk(each.line.text) if match.differ([each.line.text])[0] else ""
        except UpstreamTrouble:
            small = ""
        yield replace(each, minimal=small)


def _limits() -> WorkerLimits:
    return WorkerLimits(question=60.0, budget=Budget(MEMORY))
