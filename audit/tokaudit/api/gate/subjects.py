"""A subject that a configuration names, with what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tokaudit.api.asked.settings import Facts, OfSubject, Signed
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.places import Name, NamedPath, named_from
from tokaudit.foundation.settings.setting import from_toml, setting, values
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.report.comparison import Purpose


@dataclass(frozen=True, kw_only=True)
class HeldTo(Signed, Facts):
    """What a subject of a gate is held to; the facts are given to its manifest too."""

    manifest: NamedPath | None = setting(None, "the manifest that holds", Name("FILE"), "none")
    compare: NamedPath | None = setting(
        None, "the tokenizer that the subject replaces", Name("SUBJECT"), "none"
    )


@dataclass(frozen=True, kw_only=True)
class AskedSubject(HeldTo):
    """What a gate asks about one subject; `name` is as written, the others as they are opened."""

    name: str
    path: str
    settings: OfSubject = field(default_factory=OfSubject)
    purposes: tuple[str, ...] = ()  # of the comparison; with none, any difference counts


def read_subject(table: Table, purposes: tuple[str, ...], folder: Path) -> AskedSubject:
    """One entry of `subjects`; `purposes` are those of the whole configuration."""
    name = table.required("path", "it names a folder, a file, pkg:..., hf:... or tiktoken:...")
    held = from_toml(table, HeldTo, folder)
    wanted = tuple(table.known("for", each, map(str, Purpose)) for each in table.texts("for"))
    if wanted and held.compare is None:
        raise UsageError(f"{table.at('for')}: needs compare, the tokenizer that is replaced")
    if held.key is not None and held.manifest is None:
        raise UsageError(f"{table.at('key')}: needs manifest, which the key has signed")
    return AskedSubject(
        name=name,
        path=named_from(folder, name),
        settings=from_toml(table, OfSubject, folder),
        purposes=(wanted or purposes) if held.compare is not None else (),
        **values(held),
    )
