"""The settings of each function of the API, a class for each: its keyword arguments.

The command line and the gate's configuration take the same classes, so that a setting is one field
here, or in `engine/options.py` where a check or a worker looks at it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokaudit.engine.options import Drawn, Effort, Options
from tokaudit.engine.options import WithChats as WithChats
from tokaudit.engine.outcome.verdict import NEVER
from tokaudit.engine.pieces import InPieces, Pieces
from tokaudit.engine.settings.file_settings import FileRoles, FilesByRole, GivenFacts, SpecialTokens
from tokaudit.foundation.settings.numbers import Flag, Ratio, Whole
from tokaudit.foundation.settings.places import Name, NamedPath
from tokaudit.foundation.settings.setting import Argument, inherited, setting
from tokaudit.foundation.settings.words import Names, Text, Word
from tokaudit.report.comparison import Purpose
from tokaudit.report.model import Severity
from tokaudit.report.replacement import REPLACING


@dataclass(frozen=True, kw_only=True)
class BareFiles:
    """The user's word on what the files of a subject leave open."""

    GROUP = "reading the files"

    pattern: str | None = setting(
        None,
        "the split pattern of a bare rank file",
        Text("REGEX", "a regular expression"),
        "the known pattern of the file",
    )
    special: Mapping[str, int] | None = setting(
        None,
        "a special token of a bare rank file; may be given again",
        SpecialTokens(),
        "none",
    )
    files: FilesByRole | None = setting(
        None,
        "read the file at PATH as if it had the name ROLE, such as merges.txt, in whichever of the "
        "folders named holds it; may be given again",
        FileRoles(),
        "names decide",
        option="file",
    )
    download: bool = setting(
        False,
        "read what is needed of hf:ORG/NAME[@REVISION] from the Hub, and of s3://, gs:// and "
        "https:// from their servers: small files, headers and some rows",
        Flag(),
        "no network is used",
    )


@dataclass(frozen=True, kw_only=True)
class OwnTemplate:
    """The tokenizer of a template that is being written."""

    GROUP = "reading the files"

    tokenizer: NamedPath | None = setting(
        None,
        "the tokenizer for a SUBJECT that is only a chat template, FILE.jinja",
        Name("SUBJECT"),
        "bytes and the markers of the template",
    )


@dataclass(frozen=True, kw_only=True)
class Opening(BareFiles):
    """The settings with which a subject is opened."""

    GROUP = "reading the files"

    allow_root: NamedPath | None = setting(
        None,
        "follow symlinks into this folder too",
        Name("DIR"),
        "only inside the subject",
    )


@dataclass(frozen=True, kw_only=True)
class Identified(Opening):
    """Settings of an id: of the tokenizer alone, or of what chats become."""

    GROUP = "what the id covers"

    rendering: bool = setting(
        False,
        "print the id of all that decides rendered chats: tokenizer, template, roles, sides and "
        "lengths",
        Flag(),
    )
    spans: str | None = setting(
        None,
        "with --rendering: which spans of a row have labels, by any name that you give it",
        Text("POLICY", "a name"),
        "what the template's generation tags say",
    )


@dataclass(frozen=True, kw_only=True)
class OfSubject(OwnTemplate, Opening):
    """The settings with which a subject is opened, and what it is compared with."""

    GROUP = "comparing with another tokenizer"

    base: NamedPath | None = setting(
        None, "compare every component with this tokenizer's", Name("SUBJECT"), "none"
    )
    against: NamedPath | None = setting(
        None,
        "compare ids with a subject, call:module:object or cmd:program; the last two run code",
        Name("ENCODER"),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class Selected:
    """Which checks are asked, by their ids and suites."""

    GROUP = "choosing checks"

    select: Sequence[str] = setting(
        (),
        "run only these checks or suites, regardless of tier; may be given again",
        Names("CHECK[,CHECK]"),
        "all of the tier",
    )


@dataclass(frozen=True, kw_only=True)
class ChoiceOfChecks(Selected):
    """Which checks are asked, which are not, and which must be decided."""

    GROUP = "choosing checks"

    ignore: Sequence[str] = setting(
        (),
        "do not run these checks or suites; may be given again",
        Names("CHECK[,CHECK]"),
        "none",
    )
    require: Sequence[str] = setting(
        (),
        "a pass requires that these are decided; `sandbox` requires a complete sandbox; may be "
        "given again",
        Names("CHECK[,CHECK]"),
        "those marked as required",
    )


@dataclass(frozen=True)
class LeastSeverity(Word):
    """A severity, or never."""

    @property
    def argument(self) -> Argument:
        """As one of the words, the mildest first."""
        return Argument(choices=(*map(str, reversed(Severity)), NEVER))


@dataclass(frozen=True, kw_only=True)
class Failing:
    """Which findings make the exit code 1."""

    GROUP = "output"

    fail_on: str = setting(
        str(Severity.ERROR),
        "the least severity that makes the exit code 1",
        LeastSeverity("", (*Severity, NEVER)),
    )


@dataclass(frozen=True, kw_only=True)
class CheckSettings(Options, OfSubject):
    """The settings of one check."""


@dataclass(frozen=True, kw_only=True)
class AuditSettings(Options, ChoiceOfChecks, OfSubject):
    """The settings of an audit."""


@dataclass(frozen=True, kw_only=True)
class ComparisonSettings(InPieces, Drawn, OwnTemplate, BareFiles):
    """The settings of a comparison, but for which tokenizer is better."""

    purpose: str | None = setting(
        None,
        f"judge by who would break: {', '.join(Purpose)}; or find the better one: {REPLACING}",
        Word("PURPOSE", (*Purpose, REPLACING)),
        "any difference counts",
        option="for",
    )
    write_map: NamedPath | None = setting(
        None,
        "write the map of ids where the same tokens have different ids",
        Name("FILE"),
        "none",
    )
    corpus: Sequence[NamedPath] = inherited(
        Drawn,
        "corpus",
        "compare these documents too: lines of text, JSON lines, Parquet, or a folder of them; "
        "may be given again",
    )
    jobs: int = inherited(InPieces, "jobs", "processes that compare pieces of the corpus")
    ray: str | None = inherited(
        Pieces,
        "ray",
        "compare parts of the corpus with Ray at this address, or `local`; needs tokaudit[ray]",
    )
    resume: NamedPath | None = inherited(
        Pieces,
        "resume",
        "checkpoint finished pieces of the corpus in this folder, and resume from them",
    )
    timeout: float | None = inherited(
        Effort,
        "timeout",
        "stop after this long; split evenly over pairs",
    )


@dataclass(frozen=True, kw_only=True)
class CompareSettings(ComparisonSettings):
    """The settings of a comparison, and of which tokenizer is better."""

    width: int = setting(
        4096,
        "with --for replacing: the width of the embedding whose parameters are counted",
        Whole("N", 1, 1_000_000, "a width"),
    )
    context: int = setting(
        8192,
        "with --for replacing: the tokens of a context, for how many bytes fit it",
        Whole("N", 1, 1_000_000_000, "a number of tokens"),
    )
    parity: str = setting(
        "eng_Latn",
        "with --for replacing: the built-in language that others are measured against",
        Text("LANGUAGE", "a language such as eng_Latn"),
    )
    most_tokens: float | None = setting(
        None,
        "with --for replacing: fail where the second needs more than RATIO tokens of the corpus "
        "for each of the first",
        Ratio(),
        "no threshold",
    )


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The facts of a tokenizer that the user knows and no file states."""

    facts: Mapping[str, Any] | None = setting(
        None,
        "a fact that no file states, such as padding_side=left; may be given again",
        GivenFacts(),
        "none",
        option="fact",
    )


@dataclass(frozen=True, kw_only=True)
class WithFacts(Facts, Opening):
    """The settings from which a manifest is derived."""


@dataclass(frozen=True, kw_only=True)
class Hashing:
    """Whether a manifest names the digests of weights, which takes reading them whole."""

    GROUP = "output"

    hash_weights: bool = setting(
        False,
        "name the digests of whole weight files in the manifest",
        Flag(),
        "headers alone",
    )


@dataclass(frozen=True, kw_only=True)
class ManifestSettings(Hashing, WithFacts):
    """The settings of a manifest."""

    sign: NamedPath | None = setting(
        None,
        "sign it with this private key in PEM, Ed25519 or ECDSA; needs tokaudit[sign]",
        Name("KEY"),
        "unsigned",
    )


@dataclass(frozen=True, kw_only=True)
class Signed:
    """The public key of the signer that a manifest must have."""

    key: NamedPath | None = setting(
        None,
        "the public key in PEM that must have signed the manifest; needs tokaudit[sign]",
        Name("PUBLIC"),
        "signatures are not checked",
    )


@dataclass(frozen=True, kw_only=True)
class VerifySettings(Signed, WithFacts):
    """The settings of a verification, such as how strict it is."""

    exact: bool = setting(
        False,
        "also fail on changed, new or missing files",
        Flag(),
        "only on changes of the tokenizer",
    )


@dataclass(frozen=True, kw_only=True)
class NewFolder:
    """Where a folder is written that is not there yet."""

    out: NamedPath | None = setting(None, "a new folder", Name("DIR"), "nothing is written")


@dataclass(frozen=True, kw_only=True)
class WithOriginal:
    """The original that a manifest was made from, where that is still there."""

    base: NamedPath | None = setting(
        None,
        "what the manifest was made from, to compare with in full",
        Name("OLD"),
        "the probes",
    )
