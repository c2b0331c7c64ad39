"""Open the shards of a corpus of ids, each by the first format that recognises it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.exhaustion import refused_by_system
from tokaudit.products.data.files import DataFormat, Shard, StatedShard, all_data_formats
from tokaudit.products.data.files.batch import HoldsNoIds, numpy
from tokaudit.products.data.files.files import STAMP, DataFile, IdDescription, files_of


@dataclass(frozen=True)
class Corpus:
    """Shards of a corpus, unreadable ones with the reason, and other files."""

    shards: tuple[StatedShard, ...]
    unreadable: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()


Open = Callable[[DataFile, IdDescription], StatedShard | None]


def open_data(
    names: Sequence[str | os.PathLike[str]], given: IdDescription, opened: Open | None = None
) -> Corpus:
    """Open paths, folders and globs; raise `UnreadableError` if none has ids.

    `opened` opens one file, by default here and in no worker; None is for what holds no ids.
    """
    numpy()
    shards, unreadable, others, reasons = [], [], [], []
    opened = opened or shard_of
    for file in files_of(names):
        if is_companion(file):
            continue
        try:
            shard = opened(file, given)
            if shard is None:
                others.append(file.name)
            else:
                shards.append(shard)
        except HoldsNoIds as error:
            others.append(file.name)
            reasons.append(f"; {error}")
        except UnreadableError as error:
            unreadable.append((file.name, str(error)))
    if not shards and not unreadable:
        named = ", ".join(map(str, names))
        raise UnreadableError(
            f"{named}: no file contains ids that tokaudit can read{''.join(reasons[:1])}"
        )
    used = {name for shard in shards for name in shard.info.files}
    return Corpus(tuple(shards), tuple(unreadable), tuple(n for n in others if n not in used))


def open_shard(file: DataFile, given: IdDescription) -> Shard:
    """Open one file; raise `UnreadableError` if no format recognises it."""
    shard = shard_of(file, given)
    if shard is None:
        raise UnreadableError(f"{file.name}: contains no ids that tokaudit can read")
    return shard


def shard_of(file: DataFile, given: IdDescription) -> Shard | None:
    """Open one file; None if no format recognises it."""
    format = recognised(file)
    return None if format is None else _opened(format, file, given)


def recognised(file: DataFile) -> DataFormat | None:
    """Return the format of a file; None for companions and files without ids."""
    if is_companion(file):
        return None
    head = file.head()
    return next((each for each in all_data_formats() if each.recognise(file, head)), None)


def is_companion(file: DataFile) -> bool:
    """Return whether a file is a shard's companion, such as an index, or a stamp."""
    suffixes = [suffix for format in all_data_formats() for suffix in format.companions]
    return file.path.name.endswith((STAMP, *suffixes))


def _opened(format: DataFormat, file: DataFile, given: IdDescription) -> Shard:
    try:
        return format.open(file, given)
    except (ValueError, OverflowError, RecursionError, MemoryError, OSError) as error:
        if refused_by_system(error) and not isinstance(error, MemoryError):
            raise
        raise UnreadableError(f"{file.name}: its header cannot be read: {error}") from error
