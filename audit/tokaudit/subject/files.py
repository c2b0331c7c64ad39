"""List a subject's files, each with its role or the reason why it is not read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.leftovers import is_ours
from tokaudit.subject.content import Content
from tokaudit.subject.copies import Copies
from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import GONE, LEAVES, LOST, OTHER, SourceFile
from tokaudit.subject.sniff import METADATA, impostor_of, is_weights, role_of

DEEPEST = 8
MOST_FILES = 10_000
HEAD = 4096
PASSED_OVER = (".git", "__pycache__", ".cache")


def listed(root: Path, allow_root: Path | None = None) -> tuple[SourceFile, ...]:
    """List every file below a folder, by name, at most `DEEPEST` folders deep."""
    found, copies = [], Copies()
    for path in _walk(root, 0):
        found.append(described(path, root, allow_root, copies))
        if len(found) > MOST_FILES:
            raise UnreadableError(
                f"{root}: contains more than {MOST_FILES:,} files, the most that tokaudit reads"
            )
    return tuple(sorted(found, key=lambda file: file.name))


def holds_a_tokenizer(folder: Path) -> str:
    """Return the first tokenizer or weights file directly in a folder, by name or content.

    A link counts by its name wherever it leads, and so does a pointer that stands for the file.
    """
    for entry in sorted(_entries(folder), key=lambda entry: entry.name):
        if entry.is_dir():
            continue
        role = role_of(entry.name, Content(Path(entry.path), entry.name).head(HEAD))
        named = any(format.recognise(entry.name, b"") for format in all_formats())
        if named or role in {format.name for format in all_formats()} or is_weights(role):
            return entry.name
    return ""


def single(path: Path, allow_root: Path | None = None, role: str = "") -> SourceFile:
    """Describe a file that the user named; follow its symlink for that reason."""
    try:
        status = path.stat()
    except OSError as error:
        why = "is a dangling symlink" if path.is_symlink() and not path.exists() else error.strerror
        raise UnreadableError(f"{path}: cannot be read: {why}") from error
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(f"{path}: is not a regular file")
    content = Content(path, path.name, Copies())
    return _sniffed(path, content, status.st_size, role)


def described(path: Path, root: Path, allow_root: Path | None, copies: Copies) -> SourceFile:
    """Describe a file of a folder; open only regular files."""
    name = path.relative_to(root).as_posix()
    try:
        target = path.resolve(strict=True)
        status = target.stat()
    except (OSError, RuntimeError):
        return SourceFile(name, path, 0, LOST)
    if not _within(target, root, allow_root):
        return SourceFile(name, path, 0, LEAVES)
    if not stat.S_ISREG(status.st_mode):
        what = "a folder, not a file" if stat.S_ISDIR(status.st_mode) else ""
        return SourceFile(name, path, 0, OTHER, what)
    content = Content(target, name, copies)
    return hidden(path, content, status.st_size) or _sniffed(path, content, status.st_size)


def hidden(path: Path, content: Content, size: int) -> SourceFile | None:
    """Return a hidden file that no loader reads, as macOS writes them; or None."""
    if not path.name.startswith(".") or path.name == METADATA:
        return None
    return SourceFile(content.name, path, size, "unread", "", content, content.name + GONE)


def _sniffed(path: Path, content: Content, size: int, role: str = "") -> SourceFile:
    """Describe a file by its name and its first bytes."""
    name, first = content.name, content.head(HEAD)
    role = role or role_of(name, first)
    return SourceFile(name, path, size, role, impostor_of(name, first), content)


def _within(target: Path, root: Path, allow_root: Path | None) -> bool:
    """Return whether a path is in the subject, its cache's `blobs/`, or an allowed root."""
    real = root.resolve()
    allowed = [real]
    if real.parent.name == "snapshots":
        allowed.append(real.parent.parent / "blobs")
    if allow_root is not None:
        allowed.append(allow_root.resolve())
    return any(target.is_relative_to(folder) for folder in allowed)


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    for entry in sorted(_entries(folder), key=lambda entry: entry.name):
        folder_inside = entry.is_dir(follow_symlinks=False)
        if not folder_inside or role_of(entry.name, b"") != "unread":
            yield Path(entry.path)  # a folder that is named like a file of ours is not such a file
        if not folder_inside:
            continue
        if depth < DEEPEST and entry.name not in PASSED_OVER:
            yield from _walk(Path(entry.path), depth + 1)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """List a folder, without temporary files of ours that workers left."""
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if not is_ours(entry.name)]
    except OSError as error:
        raise UnreadableError(f"{folder}: cannot be listed: {error.strerror}") from error
