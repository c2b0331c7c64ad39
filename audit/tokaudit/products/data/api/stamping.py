"""`tokaudit.expect_data`, and its stamps: do ids and tokenizer belong together?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit.engine.opening import SubjectName
from tokaudit.foundation.errors import NotWrittenError, UnreadableError, UsageError
from tokaudit.foundation.settings.places import NamedPath, path_of
from tokaudit.products.data.api.settings import DataSettings
from tokaudit.products.data.data_stamp import (
    FOLDERS,
    Stamp,
    differences,
    stamp_in,
    stamp_of,
    written,
)
from tokaudit.products.data.files.files import files_of
from tokaudit.products.data.shards.carrying_out import file_digest
from tokaudit.products.identity.drift import Drift
from tokaudit.products.identity.identifying import identify
from tokaudit.report.report import Report

COUNTS = ("data/shards", "data/ids", "data/documents")


def refuse_without_folder(path: NamedPath) -> None:
    """Raise `UsageError` if a stamp's folder is missing, before the ids are read."""
    if not Path(path).absolute().parent.is_dir():
        raise UsageError(f"--stamp {os.fspath(path)}: the folder of this file does not exist")


def write_stamp(
    path: NamedPath,
    data: Sequence[NamedPath],
    tokenizer: SubjectName,
    report: Report,
    asked: DataSettings,
) -> None:
    """Write the stamp of examined ids, with the digest of every file."""
    target = Path(path)
    root = target.parent.absolute()
    files = [
        (file.url or os.path.relpath(file.where, root), file, file_digest(file))
        for file in files_of(data)
        if file.where != str(target.absolute())
    ]
    found = report.result("data/whole").measurements
    counts = {each.key: int(each.value) for each in found if each.key in COUNTS}
    folders = [os.path.relpath(each, root) for each in map(Path, data) if each.is_dir()]
    settings = {"tier": asked.tier, "seed": str(asked.seed), "tokaudit": report.tool["version"]}
    settings |= {FOLDERS: "\n".join(folders)} if folders else {}
    short = identify(tokenizer).id
    stamp = stamp_of(files, short, counts, settings, str(report.verdict))
    partial = target.with_name(f".{target.name}.part")
    try:
        partial.write_text(written(stamp), "utf-8")
        partial.replace(target)
    except OSError as error:
        raise NotWrittenError(f"{target}: cannot be written: {error.strerror}") from error


def expect_data(
    path: NamedPath, tokenizer: SubjectName, *, exact: bool = False
) -> Mapping[str, Any]:
    """Raise `UnreadableError` unless ids on disk and a tokenizer are those of a stamp.

    `path` is the stamp, or a folder with `tokaudit.stamp.json`.  The short id of the tokenizer and
    the sizes of files are compared, and with `exact` the digest of every file.  Returns the counts
    that the stamp states.
    """
    file = path_of("path", path)
    stamp = stamp_in(file)
    if stamp is None:
        raise UsageError(
            f"{os.fspath(path)}: is neither a file of tokaudit data --stamp nor a folder with one"
        )
    found = drift_of(stamp, file, tokenizer, exact=exact)
    if found:
        raise UnreadableError(f"{os.fspath(path)}: {'; '.join(map(str, found))}")
    return dict(stamp.predicate.counts)


def drift_of(stamp: Stamp, path: Path, tokenizer: SubjectName, *, exact: bool) -> list[Drift]:
    """Return every difference between a stamp and the current tokenizer and files."""
    folder = path if path.is_dir() else path.parent
    short = identify(tokenizer).id
    return list(differences(stamp, folder, short, file_digest if exact else None))
