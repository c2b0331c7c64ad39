"""The vocabulary that the whole project speaks: what a check says, and the parts of a report.

Everything here is frozen data and imports nothing of ours or of anybody else's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

MEASUREMENT_KEY = re.compile(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*")


class Severity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"  # ids, decoded text or the model's input are wrong
    WARNING = "warning"  # right today, but a trap that has caught people
    INFO = "info"  # worth knowing


class Status(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not_applicable"
    CRASHED = "crashed"


class Verdict(StrEnum):
    """What the audit as a whole may claim."""

    PASS = "pass"
    FAIL = "fail"
    UNVERIFIABLE = "unverifiable"


class Basis(StrEnum):
    """The evidence that lets a check decide."""

    INTRINSIC = "intrinsic"  # the file contradicts itself
    CROSS_FILE = "cross-file"
    WEIGHTS = "weights"
    BASELINE = "baseline"  # a manifest, --base or --against


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is: a component, and the file and JSON pointer that state it."""

    component: str
    file: str = ""
    pointer: str = ""
    value: Any = None


@dataclass(frozen=True, slots=True)
class TokenView:
    """One token as shown to a reader; no piece where no vocabulary names it."""

    id: int
    piece: str | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows a finding, tagged by kind.

    A `text` gives `expected` and `actual` tokens and the index of the first that differs; text
    that is not valid Unicode travels in `text_base64` instead.
    """

    kind: Literal["text", "ids", "facts", "bytes", "conversation"]
    text: str | None = None
    text_base64: str | None = None
    expected: tuple[TokenView, ...] = ()
    actual: tuple[TokenView, ...] = ()
    expected_label: str = "expected"
    actual_label: str = "actual"
    first_difference: int | None = None
    ids: tuple[int, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check has to say; `places[0]` is blamed.

    `cause` tells the ways apart in which one check fails, in words of the check alone: no token, no
    file and no figure of a subject, so that a failure keeps its identity from run to run.  `check`
    is the id of the check that found it; the engine fills it in.
    """

    severity: Severity
    message: str
    places: tuple[Place, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    remedy: str = ""
    cause: str = ""
    check: str = ""

    @property
    def identity(self) -> str:
        """What failed and how, the same in every run and for every subject.

        >>> Finding(Severity.ERROR, "2 rows lack", check="embeddings/rows", cause="short").identity
        'embeddings/rows:short'
        """
        return f"{self.check}:{self.cause.replace(' ', '-')}" if self.cause else self.check


@dataclass(frozen=True, slots=True)
class Measurement:
    """A figure with its unit, sample size, 95 % interval and the method that gave it.

    Its key is what programs ask for, `suite/what_is_counted`; the title is for a person.  What the
    figure is of, such as a language, is in the dimensions and never in the key.  ValueError for
    a key of any other form.
    """

    key: str
    title: str
    value: float
    unit: str
    n: int
    method: str
    interval: tuple[float, float] | None = None
    dimensions: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A key is a name for ever, so a wrong one is refused where it is made."""
        if not MEASUREMENT_KEY.fullmatch(self.key):
            raise ValueError(f"{self.key!r} is not a key of the form suite/what_is_counted")


class SuppressedBy(StrEnum):
    """What keeps a finding from counting."""

    CONFIGURATION = "configuration"  # a suppression with its reason
    BASELINE = "baseline"  # it was there when the baseline was recorded


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that does not count: why, by what, and the last day on which it does not."""

    finding: Finding
    reason: str
    by: SuppressedBy
    until: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check gave; `reason` says why it was skipped, did not apply or crashed.

    Findings that are `suppressed` are not among its `findings`, and decide nothing.
    """

    check: str
    status: Status
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    seconds: float = 0.0
    part: str = ""  # of a repository of several tokenizers: the folder of the one that was asked
    suppressed: tuple[Suppressed, ...] = ()


@dataclass(frozen=True, slots=True)
class ComponentIdentity:
    """The canonical hash of one component; the name carries every parameter that affects it."""

    name: str
    digest: str
    standing: str = "stated"
    n: int = 0


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file of the subject; `sha256` is that of its first `read` bytes, empty where none were.

    What is `changed` was exchanged or written to while the audit ran; judged was what was read.
    `read_as` is the name that the user gave it as its role.
    """

    name: str
    size: int
    role: str
    sha256: str = ""
    read: int = 0
    changed: bool = False
    read_as: str = ""


@dataclass(frozen=True, slots=True)
class FactRecord:
    """A fact and who states it."""

    name: str
    value: Any
    file: str
    pointer: str


@dataclass(frozen=True, slots=True)
class SubjectRecord:
    """What was audited, as a report remembers it."""

    name: str
    files: tuple[FileRecord, ...] = ()
    unread: tuple[FileRecord, ...] = ()
    facts: tuple[FactRecord, ...] = ()
    formats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartRecord:
    """One tokenizer of a repository of several: its folder, and the verdict over it alone.

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


@dataclass(frozen=True, slots=True)
class Timing:
    """Where the wall time went, in seconds, and how much the libraries were asked."""

    wall: float = 0.0
    upstream: float = 0.0
    reference: float = 0.0
    spec_analysis: float = 0.0
    other: float = 0.0
    upstream_calls: int = 0
    upstream_texts: int = 0


@dataclass(frozen=True, slots=True)
class TranscriptToken:
    """One token: its role is empty and `trained` None where nobody can say."""

    id: int
    piece: str
    role: str
    trained: bool | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """One conversation by one template; where it has no text, `refused` says why."""

    conversation: str
    text: str = ""
    tokens: tuple[TranscriptToken, ...] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True)
class TracedPiece:
    """What the model was given at once, the first merges in their order, and the tokens."""

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


@dataclass(frozen=True, slots=True)
class TracedText:
    """The stages by which the reference encodes a text."""

    text: str
    parts: tuple[TracedPart, ...]


class Outcome(StrEnum):
    """What is known about one facet of two tokenizers."""

    IDENTICAL = "proved identical"
    EQUIVALENT = "equivalent (proved)"  # written differently
    UNDIFFERING = "no difference found"  # and no proof
    DIFFERS = "differs"
    UNKNOWN = "unknown"


class Proof(StrEnum):
    """How a facet was proved, which says how it is checked again."""

    EQUAL = "equal statements"  # `digest` is of what both sides state
    ACTS_ALIKE = "steps that act alike"  # `digest` is of the steps with their defaults
    SAME_IDS = "steps that give the same ids"  # they may give other offsets
    SCALARS = "characters"  # steps that take each by itself, and all alike
    CHARSMAPS = "maps of characters"  # the same entries, packed in another way
    TOKENS = "tokens"  # decoders that join their bytes, and all `entries` shared ones alike
    MERGES = "merges"  # both have the normal form `form` of `digest`
    SCORES = "scores"  # `factor` times the other side's
    CUTS = "cuts"  # `states` of both machines, closed under every move
    NO_ENTRY_ACROSS = "no entry across a cut"  # of `entries` of both vocabularies


@dataclass(frozen=True, slots=True)
class Certificate:
    """What shows a proof to a checker that has both files, and did not search for it."""

    proof: Proof
    digest: str = ""
    form: str = ""
    merges: int = 0
    factor: float = 1.0
    classes: tuple[str, ...] = ()
    states: tuple[tuple[int, int, bool], ...] = ()
    entries: int = 0  # of both vocabularies, or shared


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing in which two tokenizers may differ, and what is known about it.

    `why` is the proof in words, what was tried, or why nothing is known.  What differs has a text
    that was run on both sides, or where no text exists the places that state it.  What is proved
    has a certificate, which `tokaudit compare --recheck` checks again.
    """

    name: str
    outcome: Outcome
    why: str
    places: tuple[Place, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    certificate: Certificate | None = None


class Relation(StrEnum):
    """What two tokenizers are to each other; *same* is for proofs."""

    SAME = "same"
    UNDIFFERING = "same ids on everything tried"
    SUPERSET = "superset"  # the same ids, but for tokens that only one side has
    REMAPPED = "remapped"  # the same tokens at other ids
    RESEGMENTED = "resegmented"  # the same vocabulary, other tokens
    DIFFERENT = "different"
    UNKNOWN = "unknown"


REMEDIES = {
    Relation.SUPERSET: "Exchange them only where the tokens that one side lacks never occur, and "
    "resize the embedding to the larger vocabulary.",
    Relation.REMAPPED: "Translate ids by a map (tokaudit compare --write-map), in the embedding "
    "and in everything that holds ids.",
    Relation.RESEGMENTED: "Encode every text again with the tokenizer that the model was trained "
    "with; no map of ids leads from one to the other.",
    Relation.DIFFERENT: "Use each tokenizer with its own checkpoint and its own cached ids only; "
    "the facets below say what would have to be the same.",
}


@dataclass(frozen=True, slots=True)
class CorpusSlice:
    """How the ids of a user's documents compare, one file of them.

    `failed` are documents that a side could not encode; `worst` are minimal texts out of those that
    differ most in the number of tokens.
    """

    name: str
    documents: int
    different: int
    failed: int
    characters: int
    left_tokens: int
    right_tokens: int
    run_by: str = ""
    worst: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Rate:
    """A figure over several texts with its 95 % interval; too few texts have none."""

    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What the same texts of one language or domain cost on both sides, in tokens per character.

    `ratio` is the tokens of the second side over those of the first.  A side that loses text of
    them has no figure, as lost text is not cheap.
    """

    key: str
    name: str
    texts: int
    left: Rate | None = None
    right: Rate | None = None
    ratio: Rate | None = None


@dataclass(frozen=True, slots=True)
class Entries:
    """How many entries of one kind both vocabularies have, and how many only one of them has."""

    kind: str
    shared: int
    only_left: int
    only_right: int


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Figures about two tokenizers that judge nothing; entries are counted by their texts.

    `by_length` is by characters.
    """

    run_by: str
    languages: tuple[Cost, ...] = ()
    domains: tuple[Cost, ...] = ()
    by_script: tuple[Entries, ...] = ()
    by_length: tuple[Entries, ...] = ()


class Purpose(StrEnum):
    """What a second tokenizer is to be used for in place of the first, or beside it."""

    SERVING = "serving"
    TRAINING = "training"
    CACHED_IDS = "cached-ids"
    SPECULATIVE = "speculative"
    DISTILLATION = "distillation"
    PRUNED = "pruned"


@dataclass(frozen=True, slots=True)
class Suitability:
    """Whether the invariant of a purpose holds: *pass*, *fail*, or *unverifiable*; and why."""

    purpose: Purpose
    invariant: str
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the subject's ids compare with another's, over the texts that were tried.

    `run_by` says who encoded them: the reference, upstream libraries, or encoders of the user.
    """

    left: str
    right: str
    texts: int
    different: int
    relation: Relation
    minimal: Evidence | None = None
    left_file: str = ""
    right_file: str = ""
    run_by: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    suitability: Suitability | None = None  # only where a purpose was named
    corpus: tuple[CorpusSlice, ...] = ()
    side_by_side: SideBySide | None = None

    @property
    def remedy(self) -> str:
        """What to do about the difference that the facets show; empty where there is none."""
        return REMEDIES.get(self.relation, "") if self.facets else ""
