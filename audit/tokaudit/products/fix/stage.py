"""A copy of a subject for repairs: the subject itself is never written to."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.repair import Change, ChangeKind
from tokaudit.subject.editing.json_text import ABSENT, value_at, with_value, without_value
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.pointers import LINE
from tokaudit.subject.safe_json import parse

VERSION = "#version"
TEXT = ".jinja"  # a file that is one value, and no JSON


@dataclass
class Stage:
    """The copy: its folder, original and current bytes of files, and the base's files."""

    folder: Path
    files: Mapping[str, SourceFile]
    base: Mapping[str, SourceFile] = field(default_factory=dict)
    before: dict[str, bytes | None] = field(default_factory=dict)
    after: dict[str, bytes | None] = field(default_factory=dict)

    def carry_out(self, change: Change) -> None:
        """Change one file of the copy; raise `UnreadableError` if the change does not fit."""
        path = self._path(change.file)
        old = self._held(change.file)
        if change.kind is not ChangeKind.TAKE:
            new = edited(old or b"", change)
        elif change.pointer or change.source_pointer:
            new = self._with_taken(old or b"", change)
        else:
            new = self._source(change)
        self.before.setdefault(change.file, old)
        self.after[change.file] = new
        _exchange(path, new)

    def _held(self, name: str) -> bytes | None:
        if name in self.after:
            return self.after[name]
        return read_bytes(self.files[name]) if name in self.files else None

    def _path(self, name: str) -> Path:
        """Return the path of a file in the copy; its name must not lead out of the folder."""
        parts = PurePosixPath(name).parts
        if not parts or PurePosixPath(name).is_absolute() or ".." in parts:
            raise UnreadableError(f"{name}: is not a path inside the folder that is repaired")
        return self.folder.joinpath(*parts)

    def _source(self, change: Change) -> bytes:
        if change.from_base:
            if change.source not in self.base:
                raise UnreadableError(f"{change.source}: the base tokenizer has no such file")
            return read_bytes(self.base[change.source])
        held = self._held(change.source)
        if held is None:
            raise UnreadableError(f"{change.source}: does not exist")
        return held

    def _with_taken(self, old: bytes, change: Change) -> bytes | None:
        """Copy a value from another file; if it is missing there, remove it."""
        source = self._source(change)
        if not change.source.endswith(".json"):
            value: Any = merges_in(source)
        else:
            value = value_at(parse(source, change.source), change.source_pointer)
        if not change.file.endswith(".json"):
            return merge_lines(value, old)
        kind = ChangeKind.REMOVE if value is ABSENT else ChangeKind.SET
        if kind is ChangeKind.REMOVE and not change.pointer:
            raise UnreadableError(f"{change.source} {change.source_pointer}: does not exist")
        return edited(old or b"null", replace(change, kind=kind, wanted=value))


def _exchange(path: Path, data: bytes | None) -> None:
    """Replace a file of the copy; never write through a link to the subject."""
    path.unlink(missing_ok=True)
    if data is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copied(subject: Subject, folder: Path, *, link_above: int | None = None) -> None:
    """Copy the listed files into a folder; link files above a size instead.

    What nobody opens, such as a link that leaves the subject, is left out.
    """
    for file in subject.files:
        if not file.regular:
            continue
        path = folder.joinpath(*PurePosixPath(file.name).parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        source = Path(os.path.realpath(file.path))
        if link_above is not None and file.size > link_above:
            path.symlink_to(source)
        else:
            shutil.copyfile(source, path)


def all_files(subjects: Iterable[Subject]) -> tuple[SourceFile, ...]:
    """Return the files of every tokenizer of a repository, each once."""
    return tuple({file.name: file for each in subjects for file in each.files}.values())


def in_order(changes: Iterable[Change]) -> Iterator[Change]:
    """Order changes so that none moves the place of another: removals last, backwards."""
    listed = tuple(changes)
    yield from (each for each in listed if each.kind is not ChangeKind.REMOVE)
    removals = (each for each in listed if each.kind is ChangeKind.REMOVE)
    yield from sorted(removals, key=_from_the_end, reverse=True)


def _from_the_end(change: Change) -> tuple[str, list[tuple[int, str]]]:
    parts = change.pointer.replace("line ", "/").split("/")
    return change.file, [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def edited(data: bytes, change: Change) -> bytes | None:
    """Return the bytes after a change, None if the file is removed.

    Raises `UnreadableError` where the pointer leads nowhere, or the file cannot be changed.
    """
    if change.kind is ChangeKind.REMOVE and not change.pointer:
        return None
    if LINE.fullmatch(change.pointer):
        return _lines(data, change)
    if change.file.endswith(TEXT) and change.kind is ChangeKind.SET and not change.pointer:
        return str(change.wanted).encode("utf-8", "surrogateescape")
    mark, text = _decoded(data, change)
    if change.kind is ChangeKind.REMOVE:
        return mark + without_value(text, change.pointer).encode()
    return mark + with_value(text, change.pointer, change.wanted).encode("utf-8", "replace")


def _decoded(data: bytes, change: Change) -> tuple[bytes, str]:
    """Return the byte order mark, and the text after it."""
    if not change.file.endswith(".json") or change.pointer[:1] not in ("", "/"):
        raise UnreadableError(
            f"{change.file}: tokaudit fix cannot change {change.pointer or 'the file'}"
        )
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    try:
        text = data[len(mark) :].decode("utf-8")
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{change.file}: is not JSON: {error}") from error
    return mark, text


def _lines(data: bytes, change: Change) -> bytes:
    found = LINE.fullmatch(change.pointer)
    at = int(found[1]) - 1 if found else 0
    lines = data.split(b"\n")
    if at >= len(lines):
        raise UnreadableError(f"{change.file}: has no line {at + 1}")
    new = str(change.wanted).encode("utf-8", "surrogateescape")
    if change.kind is ChangeKind.REMOVE:
        del lines[at]
    elif change.kind is ChangeKind.ADD:
        lines.insert(at, new)
    else:
        lines[at] = new + (b"\r" if lines[at].endswith(b"\r") else b"")
    return b"\n".join(lines)


def merges_in(data: bytes) -> list[str]:
    """Return the pairs of a merges.txt.

    >>> merges_in(b"#version: 0.2\\na b\\nab c\\n")
    ['a b', 'ab c']
    """
    lines = data.decode("utf-8", "replace").split("\n")
    return [line.rstrip("\r") for line in lines if line.strip() and not line.startswith(VERSION)]


def merge_lines(merges: Any, old: bytes = b"") -> bytes:
    """Format merges as lines, below the file's version line.

    >>> merge_lines([["a", "b"], "ab c"], b"#version: 0.2\\nx y\\n")
    b'#version: 0.2\\na b\\nab c\\n'
    """
    if not isinstance(merges, list):
        raise UnreadableError("the merges are not a list")
    lines = [" ".join(map(str, pair)) if isinstance(pair, list) else str(pair) for pair in merges]
    if any(line.count(" ") != 1 or "\n" in line for line in lines):
        raise UnreadableError(
            "a token of a merge contains a space or a line break, which merges.txt cannot represent"
        )
    first = old.decode("utf-8", "replace").partition("\n")[0]
    head = [first] if first.startswith(VERSION) else []
    return "".join(f"{line}\n" for line in [*head, *lines]).encode()
