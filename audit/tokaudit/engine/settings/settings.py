"""Settings classes of the API functions, whose fields are their keyword arguments.

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
    """User settings for what the files of a subject leave open."""

    GROUP = "reading the files"

    pattern: str | None = setting(
        None,
        "the regular expression that splits text, for a rank file (.tiktoken), which contains no "
        "pattern",
        Text("REGEX", "a regular expression"),
        "the pattern that is published for the file",
    )
    special: Mapping[str, int] | None = setting(
        None,
        "a special token and its id, for a rank file (.tiktoken), which lists no special tokens; "
        "may be given again",
        SpecialTokens(),
        "none",
    )
    files: FilesByRole | None = setting(
        None,
        "read the file PATH in place of the file that is usually named ROLE: merges.txt=pairs.txt "
        "reads the merges from pairs.txt; may be given again",
        FileRoles(),
        "files are found by their usual names",
        option="file",
    )
    download: bool = setting(
        False,
        "allow downloads from the Hub (hf:ORG/NAME[@REVISION]), s3://, gs:// or https://; of "
        "large files, only headers and some rows are downloaded",
        Flag(),
        "no network is used",
    )


@dataclass(frozen=True, kw_only=True)
class OwnTemplate:
    """The tokenizer for a template that is being written."""

    GROUP = "reading the files"

    tokenizer: NamedPath | None = setting(
        None,
        "the tokenizer to use when SUBJECT is only a chat template, such as FILE.jinja",
        Name("SUBJECT"),
        "one token for each byte and for each marker in the template",
    )


@dataclass(frozen=True, kw_only=True)
class Opening(BareFiles):
    """Settings to open a subject with."""

    GROUP = "reading the files"

    allow_root: NamedPath | None = setting(
        None,
        "also follow symbolic links that lead into DIR",
        Name("DIR"),
        "follow only links that stay in the tokenizer's folder",
    )


@dataclass(frozen=True, kw_only=True)
class Identified(Opening):
    """Settings of an id: of the tokenizer alone, or of rendered chats."""

    GROUP = "what the id covers"

    rendering: bool = setting(
        False,
        "print an id that also covers the chat template, the roles of special tokens, padding "
        "sides and lengths",
        Flag(),
        "an id of the tokenizer alone",
    )
    spans: str | None = setting(
        None,
        "with --rendering: a name of your choice for the rule by which your trainer labels parts "
        "of a chat",
        Text("POLICY", "a name"),
        "the template's generation tags",
    )


@dataclass(frozen=True, kw_only=True)
class OfSubject(OwnTemplate, Opening):
    """Settings to open a subject, and what to compare it with."""

    GROUP = "comparing with another tokenizer"

    base: NamedPath | None = setting(
        None,
        "compare vocabulary, merges, settings and all other parts with this base tokenizer",
        Name("SUBJECT"),
        "none",
    )
    against: NamedPath | None = setting(
        None,
        "compare the ids with those of another encoder: a tokenizer folder or file, "
        "call:module:object (runs this Python function) or cmd:program (runs this program)",
        Name("ENCODER"),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class Selected:
    """Selection of checks by ids and suites."""

    GROUP = "choosing checks"

    select: Sequence[str] = setting(
        (),
        "run only these checks or suites, even checks that the tier leaves out; may be given again",
        Names("CHECK[,CHECK]"),
        "all checks of the tier",
    )


@dataclass(frozen=True, kw_only=True)
class ChoiceOfChecks(Selected):
    """Selection of checks: those to run, to ignore, and to require."""

    GROUP = "choosing checks"

    ignore: Sequence[str] = setting(
        (),
        "do not run these checks or suites; may be given again",
        Names("CHECK[,CHECK]"),
        "none",
    )
    require: Sequence[str] = setting(
        (),
        "let the audit pass only if these checks reach a decision; the name `sandbox` requires "
        "that all sandbox limits are in force; may be given again",
        Names("CHECK[,CHECK]"),
        "the checks marked as required",
    )


@dataclass(frozen=True)
class LeastSeverity(Word):
    """A severity, or never."""

    @property
    def argument(self) -> Argument:
        """Return the choices, the mildest severity first."""
        return Argument(choices=(*map(str, reversed(Severity)), NEVER))


@dataclass(frozen=True, kw_only=True)
class Failing:
    """The findings that make the exit code 1."""

    GROUP = "output"

    fail_on: str = setting(
        str(Severity.ERROR),
        "exit with code 1 for findings of this severity or worse",
        LeastSeverity("", (*Severity, NEVER)),
    )


@dataclass(frozen=True, kw_only=True)
class CheckSettings(Options, OfSubject):
    """Settings of one check."""


@dataclass(frozen=True, kw_only=True)
class AuditSettings(Options, ChoiceOfChecks, OfSubject):
    """Settings of an audit."""


@dataclass(frozen=True, kw_only=True)
class ComparisonSettings(InPieces, Drawn, OwnTemplate, BareFiles):
    """Settings of a comparison, except of which tokenizer is better."""

    purpose: str | None = setting(
        None,
        "report whether the difference between the tokenizers breaks one purpose: "
        f"{', '.join(Purpose)}; or, with {REPLACING!r}, measure which tokenizer is better",
        Word("PURPOSE", (*Purpose, REPLACING)),
        "any difference counts",
        option="for",
    )
    write_map: NamedPath | None = setting(
        None,
        "write a map from the ids of A to the ids of B to this file, if both have the same tokens "
        "with different ids",
        Name("FILE"),
        "none",
    )
    corpus: Sequence[NamedPath] = inherited(
        Drawn,
        "corpus",
        "also compare the ids of these documents: text files with one document on each line, JSON "
        "lines, Parquet, or a folder of such files; may be given again",
    )
    jobs: int = inherited(InPieces, "jobs", "number of processes that compare parts of the corpus")
    ray: str | None = inherited(
        Pieces,
        "ray",
        "the address of a Ray cluster that compares parts of the corpus, or `local` for Ray on "
        "this machine; needs the extra tokaudit[ray]",
    )
    resume: NamedPath | None = inherited(
        Pieces,
        "resume",
        "save the result of each finished part of the corpus in this folder; the next run "
        "continues from these results",
    )
    timeout: float | None = inherited(
        Effort,
        "timeout",
        "stop after this many seconds; with more than two tokenizers, each pair gets an equal "
        "share",
    )


@dataclass(frozen=True, kw_only=True)
class CompareSettings(ComparisonSettings):
    """Settings of a comparison, including which tokenizer is better."""

    width: int = setting(
        4096,
        "with --for replacing: the width of the embedding, from which its number of parameters is "
        "computed",
        Whole("N", 1, 1_000_000, "a width"),
    )
    context: int = setting(
        8192,
        "with --for replacing: the context length in tokens, from which the bytes of text that "
        "fit are computed",
        Whole("N", 1, 1_000_000_000, "a number of tokens"),
    )
    parity: str = setting(
        "eng_Latn",
        "with --for replacing: the language with which the token counts of other languages are "
        "compared",
        Text("LANGUAGE", "a language such as eng_Latn"),
    )
    most_tokens: float | None = setting(
        None,
        "with --for replacing: fail if tokenizer B needs more than RATIO times as many tokens for "
        "the corpus as tokenizer A",
        Ratio(),
        "no threshold",
    )


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Facts of a tokenizer that the user knows and no file states."""

    facts: Mapping[str, Any] | None = setting(
        None,
        "a setting of the tokenizer that no file states, such as padding_side=left; may be given "
        "again",
        GivenFacts(),
        "none",
        option="fact",
    )


@dataclass(frozen=True, kw_only=True)
class WithFacts(Facts, Opening):
    """Settings to derive a manifest from."""


@dataclass(frozen=True, kw_only=True)
class Hashing:
    """Choice to include digests of weights in a manifest, which reads them whole."""

    GROUP = "output"

    hash_weights: bool = setting(
        False,
        "write digests of whole weight files into the manifest",
        Flag(),
        "only digests of the files' headers",
    )


@dataclass(frozen=True, kw_only=True)
class ManifestSettings(Hashing, WithFacts):
    """Settings of a manifest."""

    sign: NamedPath | None = setting(
        None,
        "sign the manifest with the private key in this PEM file (Ed25519 or ECDSA); needs the "
        "extra tokaudit[sign]",
        Name("KEY"),
        "the manifest is not signed",
    )


@dataclass(frozen=True, kw_only=True)
class Signed:
    """The public key of the signer that a manifest must have."""

    key: NamedPath | None = setting(
        None,
        "the PEM file of a public key: fail unless the manifest is signed with its private key; "
        "needs the extra tokaudit[sign]",
        Name("PUBLIC"),
        "signatures are not checked",
    )


@dataclass(frozen=True, kw_only=True)
class VerifySettings(Signed, WithFacts):
    """Settings of a verification, such as its strictness."""

    exact: bool = setting(
        False,
        "also fail if any file is changed, new or missing",
        Flag(),
        "fail only if the tokenizer differs",
    )


@dataclass(frozen=True, kw_only=True)
class NewFolder:
    """The path of a new folder to write."""

    out: NamedPath | None = setting(None, "a new folder", Name("DIR"), "nothing is written")


@dataclass(frozen=True, kw_only=True)
class WithOriginal:
    """The original that a manifest was made from, if it still exists."""

    base: NamedPath | None = setting(
        None,
        "the tokenizer that the manifest was made from, for a full comparison",
        Name("OLD"),
        "compare only the manifest's probe texts",
    )
