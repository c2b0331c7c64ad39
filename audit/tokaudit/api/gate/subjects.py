"""A subject that a configuration names, with what it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tokaudit.api.asked.file_settings import texts_of
from tokaudit.api.asked.settings import OfSubject
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.places import named_from
from tokaudit.foundation.settings.setting import from_toml
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.report.comparison import Purpose


@dataclass(frozen=True)
class AskedSubject:
    """What a gate asks about one subject; `name` is as written, the others as they are opened."""

    name: str
    path: str
    settings: OfSubject = field(default_factory=OfSubject)
    manifest: str | None = None
    key: str | None = None  # the public key that must have signed the manifest
    compare: str | None = None
    purposes: tuple[str, ...] = ()  # of the comparison; with none, any difference counts
    facts: Mapping[str, str] = field(default_factory=dict)  # given to the manifest too


def read_subject(table: Table, purposes: tuple[str, ...], folder: Path) -> AskedSubject:
    """One entry of `subjects`; `purposes` are those of the whole configuration."""
    name = table.required("path", "it names a folder, a file, pkg:..., hf:... or tiktoken:...")
    compare = table.text("compare")
    wanted = tuple(table.known("for", each, map(str, Purpose)) for each in table.texts("for"))
    if wanted and compare is None:
        raise UsageError(f"{table.at('for')}: needs compare, the tokenizer that is replaced")
    key = table.text("key")
    if key is not None and table.text("manifest") is None:
        raise UsageError(f"{table.at('key')}: needs manifest, which the key has signed")
    return AskedSubject(
        name=name,
        path=named_from(folder, name),
        settings=from_toml(table, OfSubject, folder),
        manifest=_named(folder, table.text("manifest")),
        key=_named(folder, key),
        compare=_named(folder, compare),
        purposes=(wanted or purposes) if compare is not None else (),
        facts=texts_of(table, "facts"),
    )


def _named(folder: Path, name: str | None) -> str | None:
    return None if name is None else named_from(folder, name)
