"""A subject in a configuration, with its comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tokaudit.engine.settings.settings import Facts, OfSubject, Signed
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.places import Name, NamedPath, PlacedFile, named_from
from tokaudit.foundation.settings.setting import from_toml, inherited, setting, values
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import Words
from tokaudit.report.comparison import Purpose


@dataclass(frozen=True, kw_only=True)
class OfAllSubjects:
    """Settings of a gate for all its subjects, in addition to their audits."""

    purposes: Sequence[str] = setting(
        (),
        "the uses that a replacement of a tokenizer must not break",
        Words("PURPOSE", tuple(map(str, Purpose))),
        "any difference counts",
    )
    baseline: str | None = setting(
        None,
        "the baseline file: only findings and figures that are new or worse than recorded "
        "there fail",
        PlacedFile(),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class HeldTo(Signed, Facts):
    """The manifest and tokenizers that a gate compares a subject with."""

    manifest: NamedPath | None = setting(
        None, "the manifest that the tokenizer must match", Name("FILE"), "none"
    )
    compare: NamedPath | None = setting(
        None, "the tokenizer that this tokenizer replaces", Name("SUBJECT"), "none"
    )
    purposes: Sequence[str] = inherited(
        OfAllSubjects,
        "purposes",
        "the uses that the replacement of this tokenizer must not break",
        "the uses that the whole configuration names",
        key="for",
    )


@dataclass(frozen=True, kw_only=True)
class AskedSubject(HeldTo):
    """Settings of a gate for one subject; `name` is as written, others as opened."""

    name: str
    path: str
    settings: OfSubject = field(default_factory=OfSubject)


def read_subject(table: Table, purposes: Sequence[str], folder: Path) -> AskedSubject:
    """Read one entry of `subjects`; `purposes` are the configuration's."""
    name = table.required("path", "it names a folder, a file, pkg:..., hf:... or tiktoken:...")
    held = from_toml(table, HeldTo, folder)
    if held.purposes and held.compare is None:
        missing = "add the key compare, which names the tokenizer that is replaced"
        raise UsageError(f"{table.at('for')}: {missing}")
    if held.key is not None and held.manifest is None:
        raise UsageError(
            f"{table.at('key')}: works only with a signed manifest; write the key 'manifest' too"
        )
    judged_by = (held.purposes or purposes) if held.compare is not None else ()
    return AskedSubject(
        name=name,
        path=named_from(folder, name),
        settings=from_toml(table, OfSubject, folder),
        **values(replace(held, purposes=judged_by)),
    )
