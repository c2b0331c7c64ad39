"""Files of a corpus of ids, and user settings for them."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files.sources import Buffer, FileSource, source_of
from tokaudit.subject.remote import fsspec_files

HEAD = 4096  # bytes that a format may look at
STAMP = "tokaudit.stamp.json"  # in a folder of ids
MOST_FILES = 100_000
DTYPES = ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64")


@dataclass(frozen=True, slots=True)
class IdDescription:
    """User settings for what a file of ids leaves open: their type and range.

    `columns` says under which name a table holds what, as (`ids`, `tokens_of_v2`).
    """

    dtype: str = ""
    vocabulary: int = 0
    columns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, order=True, slots=True)
class DataFile:
    """One file, by its name in reports; if it has a URL, the path is only a name.

    So it is where `given` hands the bytes out: a worker knows no path of a file.
    """

    name: str
    path: Path
    size: int
    url: str = ""
    given: FileSource | None = field(default=None, compare=False, repr=False)

    @classmethod
    def at(cls, where: str, size: int, name: str = "") -> DataFile:
        """Build the file at a path or URL, by its own name unless another is given."""
        if fsspec_files.is_url(where):
            path = Path(where.partition("://")[2])
            return cls(name or path.name, path, size, where)
        return cls(name or Path(where).name, Path(where), size)

    @classmethod
    def found(cls, where: str, name: str) -> DataFile | None:
        """Return the file at a path or URL with its current size, if it exists."""
        size = source_of(where).size(where)
        return None if size is None else cls.at(where, size, name)

    @property
    def where(self) -> str:
        """Return the URL, or the absolute path."""
        return self.url or str(self.path.absolute())

    @property
    def _source(self) -> FileSource:
        return self.given or source_of(self.url)

    @property
    def _key(self) -> str:
        """Return the key for its source."""
        return self.path.name if self.given else self.url or str(self.path)

    def open(self) -> BinaryIO:
        """Open the file for reading; raise `UnreadableError` if it is not a regular one."""
        return self._source.open(self._key, self.name)

    def head(self, size: int = HEAD) -> bytes:
        """Return its first bytes."""
        return self.read(0, size)

    def read(self, start: int, size: int) -> bytes:
        """Return up to `size` bytes from a position."""
        return self._source.read(self._key, self.name, start, size)

    def view(self, start: int, size: int) -> Buffer:
        """Return the same for numbers, without a copy if possible."""
        return self._source.view(self._key, self.name, start, size)

    def sibling(self, name: str) -> DataFile | None:
        """Return the file of that name in the same folder, if it exists."""
        url = _renamed(self.url, name) if self.url else ""
        other = replace(self, name=_renamed(self.name, name), path=self.path.parent / name, url=url)
        size = other._source.size(other._key)
        return None if size is None else replace(other, size=size)

    def with_suffix(self, suffix: str) -> DataFile | None:
        """Return the file with another suffix, if it exists."""
        return self.sibling(self.path.with_suffix(suffix).name)

    def followed_by(self, suffix: str) -> DataFile | None:
        """Return the file with an additional suffix, if it exists."""
        return self.sibling(self.path.name + suffix)


def _renamed(name: str, other: str) -> str:
    head, slash, _ = name.rpartition("/")
    return f"{head}{slash}{other}"


def _file(path: Path, name: str) -> DataFile | None:
    return DataFile(name, path, path.stat().st_size) if path.is_file() else None


def files_of(names: Sequence[str | os.PathLike[str]]) -> tuple[DataFile, ...]:
    """Return the files at paths, folders, globs and URLs, once each, sorted by name.

    Raises `UnreadableError` for a name that leads to no file.
    """
    found: dict[str, DataFile] = {}
    for name in [os.fspath(name) for name in names]:
        here = list(_named(name))
        if not here:
            empty = not fsspec_files.is_url(name) and Path(name).is_dir()
            why = (
                "the folder contains no file"
                if empty
                else "no file of ids was found under this name"
            )
            raise UnreadableError(f"{name}: {why}")
        found |= {each.where: each for each in here}
        if len(found) > MOST_FILES:
            raise UnreadableError(
                f"{name}: has more than {MOST_FILES:,} files, the most that tokaudit reads"
            )
    names_of = Counter(each.name for each in found.values())
    return tuple(
        sorted(
            replace(each, name=each.url or str(each.path)) if names_of[each.name] > 1 else each
            for each in found.values()
        )
    )


def _named(name: str) -> Iterator[DataFile]:
    if fsspec_files.is_url(name):
        yield from (DataFile.at(url, size, own) for own, url, size in fsspec_files.listed(name))
        return
    path = Path(name)
    if path.is_dir():
        for each in sorted(path.rglob("*")):
            inside = each.relative_to(path)
            hidden = any(part.startswith(".") for part in inside.parts)
            if not hidden and each.is_file():
                yield DataFile(inside.as_posix(), each, each.stat().st_size)
    elif path.is_file():
        yield DataFile(path.name, path, path.stat().st_size)
    elif glob.has_magic(name):
        for match in sorted(glob.glob(name, recursive=True)):  # noqa: PTH207 - may be absolute
            if (found := _file(Path(match), Path(match).name)) is not None:
                yield found
