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
        "the regular expression that splits text, for a rank file without one (.tiktoken)",
        Text("REGEX", "a regular expression"),
        "the published pattern of the file",
    )
    special: Mapping[str, int] | None = setting(
        None,
        "a special token and its id, for a rank file (.tiktoken); may be given again",
        SpecialTokens(),
        "none",
    )
    files: FilesByRole | None = setting(
        None,
        "read PATH as the file that ROLE names, such as merges.txt=pairs.txt; may be given again",
        FileRoles(),
        "names decide",
        option="file",
    )
    download: bool = setting(
        False,
        "download what is needed (small files, headers, some rows) from the Hub "
        "(hf:ORG/NAME[@REVISION]) or from s3://, gs:// or https://",
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
        "each byte is a token, and each marker of the template",
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
        "print an id that also covers how chats are rendered: template, special roles, padding "
        "sides and lengths",
        Flag(),
    )
    spans: str | None = setting(
        None,
        "with --rendering: your own name for the rule that says which spans have labels",
        Text("POLICY", "a name"),
        "the template's generation tags",
    )


@dataclass(frozen=True, kw_only=True)
class OfSubject(OwnTemplate, Opening):
    """The settings with which a subject is opened, and what it is compared with."""

    GROUP = "comparing with another tokenizer"

    base: NamedPath | None = setting(
        None, "compare every component with this base tokenizer", Name("SUBJECT"), "none"
    )
    against: NamedPath | None = setting(
        None,
        "compare ids with another encoder: a subject, call:module:object or cmd:program; the last "
        "two run code",
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
        "do not pass unless these checks are decided; `sandbox` requires a complete sandbox; may "
        "be given again",
        Names("CHECK[,CHECK]"),
        "the checks marked as required",
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
        "exit with code 1 for findings of this severity or worse",
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
        f"judge whether a change breaks one purpose: {', '.join(Purpose)}; or measure which "
        f"tokenizer is better: {REPLACING}",
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
        "keep what each finished piece of the corpus gave in this folder, and go on from there",
    )
    timeout: float | None = inherited(
        Effort,
        "timeout",
        "stop after this many seconds, split evenly over pairs",
    )


@dataclass(frozen=True, kw_only=True)
class CompareSettings(ComparisonSettings):
    """The settings of a comparison, and of which tokenizer is better."""

    width: int = setting(
        4096,
        "with --for replacing: the width of the embedding, to count its parameters",
        Whole("N", 1, 1_000_000, "a width"),
    )
    context: int = setting(
        8192,
        "with --for replacing: the length of the context in tokens, to tell how many bytes of "
        "text fit",
        Whole("N", 1, 1_000_000_000, "a number of tokens"),
    )
    parity: str = setting(
        "eng_Latn",
        "with --for replacing: the built-in language that other languages are measured against",
        Text("LANGUAGE", "a language such as eng_Latn"),
    )
    most_tokens: float | None = setting(
        None,
        "with --for replacing: fail if B needs more than RATIO times as many tokens as A for the "
        "corpus",
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
        "put the digests of whole weight files into the manifest",
        Flag(),
        "only digests of headers",
    )


@dataclass(frozen=True, kw_only=True)
class ManifestSettings(Hashing, WithFacts):
    """The settings of a manifest."""

    sign: NamedPath | None = setting(
        None,
        "sign the manifest with this private key in PEM, Ed25519 or ECDSA; needs tokaudit[sign]",
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
        "the tokenizer that the manifest was made from, for a full comparison",
        Name("OLD"),
        "compare only the manifest's probe texts",
    )
