"""Core vocabulary of the project: results of checks, and the parts of a report.

Everything here is frozen data and imports nothing of ours but the words of repairs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from tokaudit.report.repair import Repair

MEASUREMENT_KEY = re.compile(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*")


class Severity(StrEnum):
    """The severity of a finding, the worst first."""

    ERROR = "error"  # ids, decoded text or the model's input are wrong
    WARNING = "warning"  # right today, but a trap that has caught people
    INFO = "info"  # worth knowing

    @property
    def rank(self) -> int:
        """Return the rank in this order, so that the least is the worst."""
        return list(type(self)).index(self)


class Harm(StrEnum):
    """The harm of a fault to users of the checkpoint; `docs/severity.md` is the reviewed page."""

    CRASH = "crash"  # a call stops, or takes a row or a position that is not there
    OTHER_IDS = "other ids"  # text becomes other ids, or ids other text, than the files of record
    OTHER_PROMPT = (
        "other prompt"  # the model is prompted or stopped differently from what it was made for
    )
    LEAK = "leak"  # what must stay outside passes: words as markers, code of files, private names
    COST = "cost"  # rows, tokens or time are spent for nothing
    STYLE = "style"  # nothing changes


class Status(StrEnum):
    """The status of a check after its run."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_APPLICABLE = "not_applicable"
    CRASHED = "crashed"


class Verdict(StrEnum):
    """The claim that the whole audit may make."""

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
    """A location: a component, and the file and pointer that state it.

    A pointer has the form of its file, as `tokaudit.subject.places` says; `line` is counted from
    1, and None where it is not known.  A value that no file states has no pointer, and is
    `implied_by` a class's default or a rule.  A file of another subject is `outside`, and named
    with that subject's folder.  The `value` is read from a JSON file when the report is made;
    `lacks` is an entry that a list there should have.
    """

    component: str
    file: str = ""
    pointer: str = ""
    value: Any = None
    line: int | None = None
    implied_by: str = ""
    outside: bool = False
    lacks: Any = None


@dataclass(frozen=True, slots=True)
class TokenView:
    """One token as shown to a reader; its piece is None if the vocabulary has no name for it."""

    id: int
    piece: str | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a finding, tagged by kind.

    A `text` gives `expected` and `actual` tokens and the index of the first that differs; text
    that is not valid Unicode travels in `text_base64` instead.  It is `minimal` where it was made
    smaller until no character could go.
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
    minimal: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """Tokens and ids that a finding is about, besides those in its places and evidence.

    Findings that share one are shown as one cause; what a message only mentions does not count.
    """

    tokens: tuple[str, ...] = ()
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """One result that a check reports; `places[0]` is blamed.

    `cause` tells the ways apart in which one check fails, in words of the check alone: no token, no
    file and no figure of a subject, so that a failure keeps its identity from run to run.  It is
    never empty, so that suppressing one failure of a check does not cover the others.  `check` is
    the id of the check that found it; the engine fills it in.  `repair` is the remedy as data.
    Findings are grouped by places, evidence and `about`, and never by their messages.
    """

    severity: Severity
    message: str
    places: tuple[Place, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    remedy: str = ""
    cause: str = field(kw_only=True)
    check: str = ""
    repair: Repair | None = None
    about: About = About()

    def __post_init__(self) -> None:
        """Require a cause, which distinguishes findings of one check."""
        if not self.cause:
            raise ValueError(f"a finding has no cause: {self.message}")

    @property
    def identity(self) -> str:
        """Return the identity of the failure, equal in every run and for every subject.

        >>> Finding(Severity.ERROR, "2 rows lack", check="embeddings/rows", cause="short").identity
        'embeddings/rows:short'
        """
        return identity_of(self.check, self.cause)

    @property
    def suppression(self) -> str:
        """Return the keys of an entry of `[[suppressions]]` in tokaudit.toml that accepts it."""
        return f'identity = "{self.identity}", reason = "..."'

    def __repr__(self) -> str:
        """The severity, the identity and the start of the message; evidence may be long."""
        return f"<Finding {self.severity} {self.identity}: {self.message[:120]!r}>"


Repairing = Callable[[Finding], Repair | None]
"""Makes the repair of a finding out of what the finding says."""


def identity_of(check: str, cause: str) -> str:
    """Return the name of a failure, as reports, suppressions and baselines have it."""
    return f"{check}:{cause.replace(' ', '-')}"


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
        """Refuse a malformed key, because keys are permanent, and convert a count to a float."""
        if not MEASUREMENT_KEY.fullmatch(self.key):
            raise ValueError(f"{self.key!r} is not a key of the form suite/what_is_counted")
        object.__setattr__(self, "value", float(self.value))
        if self.interval is not None:
            low, high = self.interval
            object.__setattr__(self, "interval", (float(low), float(high)))


class SuppressedBy(StrEnum):
    """The reason why a finding does not count."""

    CONFIGURATION = "configuration"  # a suppression with its reason
    BASELINE = "baseline"  # it was there when the baseline was recorded


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that does not count: the reason, its source, and the last day of validity."""

    finding: Finding
    reason: str
    by: SuppressedBy
    until: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class CheckResult:
    """The result of one check; `reason` says why it was skipped, did not apply or crashed.

    Findings that are `suppressed` are not among its `findings`, and decide nothing.
    `only_measured`: the check judges nothing, so that it is not counted as passed.
    `not_given`: it was skipped because no option names what it compares the subject with.
    """

    check: str
    status: Status
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    measurements: tuple[Measurement, ...] = ()
    seconds: float = 0.0
    part: str = ""  # of a repository of several tokenizers: the folder of the one that was asked
    suppressed: tuple[Suppressed, ...] = ()
    only_measured: bool = False
    not_given: bool = False

    def __repr__(self) -> str:
        """Return the check, its status and the number of its results."""
        found = f"{len(self.findings)} findings, {len(self.measurements)} measurements"
        return f"<CheckResult {self.check} {self.status}: {found}>"
