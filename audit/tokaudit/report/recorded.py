"""Records of a report next to its results: files, facts, hashes, times, chats and stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tokaudit.report.model import Severity, TokenView, Verdict

LACKING = "sandbox_lacks"  # of an environment: what protects elsewhere, and not on this platform


@dataclass(frozen=True, slots=True)
class ComponentIdentity:
    """The canonical hash of one component; its name contains every relevant parameter."""

    name: str
    digest: str
    standing: str = "stated"
    n: int = 0


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file of the subject; `sha256` covers its first `read` bytes, and is empty without any.

    A `changed` file was replaced or written to during the audit, which judged what it had
    read. `read_as` is the role that the user gave the file; `mark` is the server's digest,
    ETag or version of it.
    """

    name: str
    size: int
    role: str
    sha256: str = ""
    read: int = 0
    changed: bool = False
    read_as: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class FactRecord:
    """A fact with the file that states it."""

    name: str
    value: Any
    file: str
    pointer: str


class SaidBy(StrEnum):
    """The source of a loader's value."""

    FILE = "file"
    CLASS = "class"  # its default, as no file states the key
    LIBRARY = "library"  # what every class takes, as no file states the key
    NOBODY = "nobody"  # the loader takes none


@dataclass(frozen=True, slots=True)
class LoaderValue:
    """The value that one loader uses for a key, and its source.

    `loader` is named with its version and how it is known.  A null in a file is the value
    None with that file's name; None without a file means that no file states it.
    """

    key: str
    loader: str
    value: Any
    said_by: SaidBy
    file: str = ""
    pointer: str = ""
    class_name: str = ""

    def shown(self, longest: int = 80) -> str:
        """Format the value for tables.

        >>> LoaderValue("add_bos_token", "tokenizers", True, SaidBy.LIBRARY).shown()
        'true'
        """
        if self.value is None:
            return "absent" if self.said_by is SaidBy.NOBODY else "null"
        text = str(self.value)
        text = text.lower() if isinstance(self.value, bool) else text
        return text if len(text) <= longest else f"{text[:longest]}..."

    @property
    def source(self) -> str:
        """Format the file and its key, or the class, for tables.

        >>> LoaderValue("eos_token", "tokenizers", None, SaidBy.NOBODY).source
        'stated nowhere'
        """
        match self.said_by:
            case SaidBy.FILE:
                return f"{self.file}#{self.pointer}" if self.pointer else self.file
            case SaidBy.CLASS:
                return f"default of {self.class_name}"
            case SaidBy.LIBRARY:
                return "default of every class"
            case _:
                return "stated nowhere"


def values_by_key(values: Sequence[LoaderValue]) -> dict[str, dict[str, LoaderValue]]:
    """Group the values by key and loader, in the order of the first column."""
    rows: dict[str, dict[str, LoaderValue]] = {}
    for cell in values:
        rows.setdefault(cell.key, {})[cell.loader] = cell
    return rows


SOURCE_ONLY = {
    "llama.cpp": ("gguf_model", "gguf_pre", "unk_token_id", "chat_template"),
    "llama.cpp's converter": ("do_lower_case",),
}
"""The keys of each reader whose cells are known from its source alone, as nothing asks it."""


def never_run(values: Sequence[LoaderValue]) -> dict[str, list[str]]:
    """Return keys whose values come from reading a loader's source, which was never run."""
    found: dict[str, list[str]] = {}
    for reader, keys in SOURCE_ONLY.items():
        mine = {each.key for each in values if each.loader.startswith((f"{reader} ", f"{reader},"))}
        if unheld := [key for key in keys if key in mine]:
            found[reader] = unheld
    return found


@dataclass(frozen=True, slots=True, repr=False)
class SubjectRecord:
    """Record of the audited subject: its files and facts, as far as they were read."""

    name: str
    files: tuple[FileRecord, ...] = ()
    unread: tuple[FileRecord, ...] = ()
    facts: tuple[FactRecord, ...] = ()
    formats: tuple[str, ...] = ()
    commit: str = ""  # of a subject on a server that has commits
    traffic: str = ""  # what reading it from a server took
    loaded: tuple[LoaderValue, ...] = ()  # what each loader takes for the keys that matter

    def __repr__(self) -> str:
        """Return the name, and the amount recorded."""
        return f"<SubjectRecord {self.name!r}: {len(self.files)} files, {len(self.facts)} facts>"


@dataclass(frozen=True, slots=True, repr=False)
class CheckRecord:
    """Record of a check that ran, so that a report explains itself later.

    `severity` is the worst that a finding of it may be.
    """

    id: str
    title: str
    why: str
    remedy: str
    severity: Severity
    incident: str = ""

    def __repr__(self) -> str:
        """Return the id and the title."""
        return f"<CheckRecord {self.id}: {self.title!r}>"


@dataclass(frozen=True, slots=True, repr=False)
class PartRecord:
    """One tokenizer of a repository of several: its folder, and its own verdict.

    `original` is the folder of the tokenizer that it was compared with as a copy.
    """

    name: str
    verdict: Verdict
    verdict_reason: str
    scope: str
    summary: Mapping[str, int]
    formats: tuple[str, ...] = ()
    identity: tuple[ComponentIdentity, ...] = ()
    original: str = ""

    def __repr__(self) -> str:
        """Return the name and the verdict."""
        return f"<PartRecord {self.name}: {self.verdict}>"


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall time by stage, in seconds, and the amount of work given to libraries."""

    wall: float = 0.0
    upstream: float = 0.0
    reference: float = 0.0
    spec_analysis: float = 0.0
    other: float = 0.0
    upstream_calls: int = 0
    upstream_texts: int = 0

    @property
    def critical(self) -> str:
        """Return the longest stage: library, reference and analysis run in parallel.

        >>> Timing(wall=5, upstream=1, reference=4, spec_analysis=2).critical
        'reference'
        """
        stages = {
            "library": self.upstream,
            "reference": self.reference,
            "spec analysis": self.spec_analysis,
        }
        return max(stages, key=stages.__getitem__)


class LoaderState(StrEnum):
    """State of a loader that was given the subject."""

    AGREES = "agrees"
    DIFFERS = "differs"
    LOADS = "loads"
    REFUSES = "refuses"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LoaderRecord:
    """A loader of the subject, and the outcome of loading.

    `known_by` says how this is known: `run`, `emulated` from records of that version, or `not run`.
    `different` of `texts` texts get other ids than `other`'s. `says` is the class that loads the
    folder, what is raised, or why nobody knows.
    """

    name: str
    known_by: str
    state: LoaderState
    texts: int = 0
    different: int = 0
    other: str = ""
    says: str = ""
    part: str = ""  # of a repository of several tokenizers, the one that it loads


class RuntimeState(StrEnum):
    """Result of running the subject's tokenizer in a runtime."""

    AGREES = "agrees"
    DIFFERS = "differs"
    REFUSES = "refuses"
    CRASHES = "crashes"
    HANGS = "hangs"
    UNFINISHED = "not finished"
    ABSENT = "cannot be run here"


@dataclass(frozen=True, slots=True)
class RuntimeSpeed:
    """Characters per second in three modes, and the speed relative to the reference.

    What travels to the worker and back is in all of them; 0 where nothing was measured.
    """

    single: float = 0.0
    batch: float = 0.0
    long: float = 0.0
    ratio: float = 0.0


@dataclass(frozen=True, slots=True)
class RuntimeRecord:
    """A runtime that was run: the user's name for it, its result, and its abilities.

    `why` is who refused, and in which words.  `unicode` is the version of its tables, and which
    letters it does not know, where its answers show it.
    """

    name: str
    state: RuntimeState
    version: str = ""
    why: str = ""
    file: str = ""  # what of the subject it loaded
    abilities: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    refused: int = 0  # texts that it alone gave no ids for
    unicode: str = ""
    speed: RuntimeSpeed | None = None


OF_TEMPLATE = "template"  # the role of what a template writes by itself before the first message


@dataclass(frozen=True, slots=True)
class TranscriptToken:
    """One token: role is empty, piece and `trained` are None if unknown.

    The role `template` is that of `OF_TEMPLATE`.
    """

    id: int
    piece: str | None
    role: str
    trained: bool | None


@dataclass(frozen=True, slots=True, repr=False)
class Transcript:
    """One conversation by one template; `refused` says why it has no text.

    `unknown` says why the roles of some tokens, or which are trained, are not known.  `trainer` is
    whose mask says which are, and `lost` are the messages that the text has no words of.
    """

    conversation: str
    text: str = ""
    tokens: tuple[TranscriptToken, ...] = ()
    refused: str = ""
    part: str = ""  # of a repository of several tokenizers, the one that it is by
    unknown: str = ""
    trainer: str = ""
    lost: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the conversation, and its length."""
        return f"<Transcript {self.conversation}: {len(self.tokens)} tokens>"


@dataclass(frozen=True, slots=True)
class TracedPiece:
    """A text given to the model at once, the first merges in order, and the tokens."""

    text: str
    merges: tuple[tuple[str, str], ...]
    tokens: tuple[TokenView, ...]


@dataclass(frozen=True, slots=True)
class TracedPart:
    """An added token, or the normalized text between two and its first pieces."""

    text: str
    added_id: int | None
    normalized: str
    pieces: tuple[TracedPiece, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class TracedText:
    """The stages by which the reference encodes a text."""

    text: str
    parts: tuple[TracedPart, ...]
    part: str = ""  # of a repository of several tokenizers, the one that it is by

    def __repr__(self) -> str:
        """Return the text, and its number of parts."""
        return f"<TracedText {self.text[:60]!r}: {len(self.parts)} parts>"


@dataclass(frozen=True, slots=True, repr=False)
class TracedBySides:
    """The stages by which the references of two subjects encode one text.

    A side is None where no reference runs it.
    """

    text: str
    left: tuple[TracedPart, ...] | None
    right: tuple[TracedPart, ...] | None

    def __repr__(self) -> str:
        """Return the text."""
        return f"<TracedBySides {self.text[:60]!r}>"
