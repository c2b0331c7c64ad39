"""Stamp of ids on disk: an in-toto Statement that names the tokenizer and every file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

import msgspec

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.foundation.typed_values import read_value
from tokaudit.products.data.files.files import STAMP, DataFile, files_of
from tokaudit.products.identity.drift import Drift
from tokaudit.products.identity.statement import LARGEST, STATEMENT
from tokaudit.products.identity.strict_json import parsed
from tokaudit.subject.material import SourceFile, read_bytes
from tokaudit.subject.remote.fsspec_files import is_url

DATA_PREDICATE = "https://tokaudit.dev/data/v1"
FOLDERS = "folders"  # the setting that names folders which were stamped as a whole


class StampedFile(msgspec.Struct, frozen=True):
    """A file of ids by its digest."""

    name: str
    digest: dict[str, str]


class StampPredicate(msgspec.Struct, frozen=True):
    """The tokenizer, files and settings of an examination; `files` are sizes in bytes."""

    tokenizer: str  # its short id
    files: dict[str, int]
    counts: dict[str, int]
    settings: dict[str, str]
    verdict: str


class Stamp(msgspec.Struct, frozen=True, rename={"type": "_type"}):
    """The stamp as stored."""

    type: str
    subject: list[StampedFile]
    predicateType: str
    predicate: StampPredicate


def stamp_of(
    files: Sequence[tuple[str, DataFile, str]],
    tokenizer: str,
    counts: Mapping[str, int],
    settings: Mapping[str, str],
    verdict: str,
) -> Stamp:
    """Build a stamp of files, each with its name in the stamp's folder and its digest."""
    sizes = {name: file.size for name, file, _ in files}
    predicate = StampPredicate(tokenizer, sizes, dict(counts), dict(settings), verdict)
    named = [StampedFile(name, {"sha256": digest}) for name, _, digest in files]
    return Stamp(STATEMENT, named, DATA_PREDICATE, predicate)


def written(stamp: Stamp) -> str:
    """Format the stamp as the text of its file."""
    data = json_bytes(stamp, order="sorted")
    return msgspec.json.format(data, indent=2).decode() + "\n"


def is_stamp(value: Any) -> bool:
    """Return whether a JSON value claims to be a stamp of ids."""
    return isinstance(value, Mapping) and value.get("predicateType") == DATA_PREDICATE


def stamp_in(path: Path) -> Stamp | None:
    """Read the stamp in a file or folder; None for anything else.

    Raises `UsageError` for what says that it is one and is not, and `UnreadableError` for a folder
    without one.
    """
    file = path / STAMP if path.is_dir() else path
    if path.is_dir() and not file.exists():
        raise UnreadableError(
            f"{path}: this folder has no {STAMP}; to write one, run: tokaudit data {path} "
            f"--tokenizer TOKENIZER --stamp {file}"
        )
    data = read_bytes(SourceFile(file.name, file, 0, "manifest"), LARGEST)
    value = parsed(data, str(file))
    return converted(value, str(file)) if is_stamp(value) else None


def converted(value: Any, name: str) -> Stamp:
    """Convert a JSON value to a stamp; `name` is its name in errors."""
    try:
        return read_value(value, Stamp)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name}: is not a file of tokaudit data --stamp: {error}") from error


def differences(stamp: Stamp, folder: Path, tokenizer: str, digest: Any = None) -> Iterator[Drift]:
    """Yield differences of tokenizer and files from a stamp, by size and optional digest."""
    if stamp.predicate.tokenizer != tokenizer:
        yield Drift("identity", "tokenizer", stamp.predicate.tokenizer, tokenizer)
    digests = {each.name: each.digest.get("sha256", "") for each in stamp.subject}
    for name, size in sorted(stamp.predicate.files.items()):
        file = DataFile.found(name if is_url(name) else str(folder / name), name)
        if file is None:
            yield Drift("file", name, f"{size} bytes", None)
        elif file.size != size:
            yield Drift("file", name, f"{size} bytes", f"{file.size} bytes")
        elif digest is not None:
            now = digest(file)
            if now != digests.get(name):
                yield Drift("file", name, digests.get(name), now)
    yield from _added(stamp, folder)


def _added(stamp: Stamp, folder: Path) -> Iterator[Drift]:
    """Yield new files of the stamped kinds in a folder that was stamped as a whole."""
    known = stamp.predicate.files
    kinds = {PurePath(name).suffix for name in known}
    for named in filter(None, stamp.predicate.settings.get(FOLDERS, "").split("\n")):
        for file in files_of([folder / named]) if (folder / named).is_dir() else ():
            name = os.path.relpath(file.where, folder)
            if name not in known and file.path.suffix in kinds and file.path.name != STAMP:
                yield Drift("file", name, None, f"{file.size} bytes")
