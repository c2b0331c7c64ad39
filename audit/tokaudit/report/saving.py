"""Writes a file whole or not at all, so that nobody ever sees half a report."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from tokaudit.errors import UsageError


def write_atomically(path: Path, text: str) -> None:
    """Write beside the target and rename; raises `UsageError` where nothing can be written."""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as handle:
            handle.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def refuse_unwritable(path: Path) -> None:
    """Raise `UsageError` where a file at this path could not be, before any work is done for it."""
    if not path.parent.is_dir():
        raise UsageError(f"{path}: cannot be written: there is no folder {path.parent}")
    if path.is_dir():
        raise UsageError(f"{path}: cannot be written: it is a folder")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path}: cannot be written: the folder {path.parent} is read-only")
