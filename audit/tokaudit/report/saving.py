"""Writes a file whole or not at all, so that nobody ever sees half a report.

That holds for regular files.  A device, a pipe and `/dev/stdout` are not replaced but written to.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from tokaudit.foundation.errors import NotWrittenError, UsageError
from tokaudit.foundation.leftovers import temporary

OPEN_FILE = re.compile(r"/proc/(\d+)(?:/task/\d+)?/fd/(\d+)")
MOST_LINKS = 40  # as the kernel follows them


def save(path: Path, text: str) -> None:
    """Write the text to where `path` leads; raises `NotWrittenError` and leaves what was there.

    A pipe or stream whose reader has left wanted no more, and that is no error.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if is_stream(path):
            _write_through(path, data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except BrokenPipeError:
        pass
    except OSError as error:
        raise NotWrittenError(f"{path}: cannot be written: {error.strerror}") from error


def refuse_unwritable(path: Path) -> None:
    """Raise `UsageError` where a file at this path could not be, before any work is done for it."""
    if is_stream(path):
        return
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        named = target.parent if path.is_symlink() else path.parent
        raise UsageError(f"{path}: cannot be written: there is no folder {named}")
    if target.is_symlink():
        raise UsageError(f"{path}: cannot be written: it is a link that leads back to itself")
    if target.is_dir():
        raise UsageError(f"{path}: cannot be written: it is a folder")
    try:  # asking for permission is not enough: root has it where nothing can be created
        with temporary(_beside(target)) as probe:
            probe.touch(exist_ok=False)
    except OSError as error:
        reason = f"nothing can be created in {target.parent}: {error.strerror}"
        raise UsageError(f"{path}: cannot be written: {reason}") from error


def is_stream(path: Path) -> bool:
    """Whether the path leads to something that is written to as it is: a device, a pipe, a stream.

    >>> is_stream(Path("/dev/null")), is_stream(Path("report.json"))
    (True, False)
    """
    if _open_file(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _open_file(path: Path) -> tuple[int, int] | None:
    """The process and descriptor that a name such as /dev/stdout leads to, over links to it too.

    Behind it may be a regular file, opened by a shell for all that is printed; it must not be
    replaced, and what is in it already must stay.
    """
    for _ in range(MOST_LINKS):
        path = Path(os.path.realpath(path.parent)) / path.name
        if found := OPEN_FILE.fullmatch(str(path)):
            return int(found[1]), int(found[2])
        try:
            path = path.parent / path.readlink()
        except OSError:
            return None
    return None


def _write_through(path: Path, data: bytes) -> None:
    opened = _open_file(path)
    if opened is not None and opened[0] == os.getpid():  # at its place in what is printed
        descriptor = os.dup(opened[1])
    else:
        descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)


def _replace(target: Path, data: bytes) -> None:
    """Write beside the target and rename, with the rights that the old file had."""
    with temporary(_beside(target)) as path:
        with path.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # some file systems say only here that they are full
        if target.exists():
            path.chmod(stat.S_IMODE(target.stat().st_mode))
        path.replace(target)


def _beside(target: Path) -> Path:
    """A name for a temporary file; it is short, because that of the target may be the longest."""
    return target.with_name(f".tokaudit-{secrets.token_hex(8)}")
