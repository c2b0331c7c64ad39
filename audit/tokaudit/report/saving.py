"""Write a file whole or not at all, so that nobody ever sees half a report.

That holds for regular files.  A device, a pipe and `/dev/stdout` are not replaced but written to.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import select
import stat
import time
from pathlib import Path

from tokaudit.foundation.errors import NotWrittenError, UsageError
from tokaudit.foundation.leftovers import clear_dead, owned, temporary
from tokaudit.foundation.paths import is_folder, is_link

OPEN_FILE = re.compile(r"/proc/(\d+)(?:/task/\d+)?/fd/(\d+)")
MOST_LINKS = 40  # as the kernel follows them
MOST_WAITED = 10.0  # seconds, for somebody to read from a pipe
NO_READER = f"it is a pipe that nobody has read from for {MOST_WAITED:.0f} seconds"
STALLED = f"its reader has taken nothing for {MOST_WAITED:.0f} seconds"


def save(path: Path, text: str) -> None:
    """Write the text to the target of `path`, or raise `NotWrittenError` and change nothing.

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
    """Raise `UsageError` if this path cannot be written, before any work is done for it."""
    if is_stream(path):
        return
    target = Path(os.path.realpath(path))
    if not is_folder(target.parent):
        named = target.parent if is_link(path) else path.parent
        raise UsageError(f"{path}: cannot be written: there is no folder {named}")
    if is_link(target):
        raise UsageError(f"{path}: cannot be written: it is a link that leads back to itself")
    if is_folder(target):
        raise UsageError(f"{path}: cannot be written: it is a folder")
    _refuse_name(path, target)
    clear_dead(target.parent)
    try:  # asking for permission is not enough: root has it where nothing can be created
        with temporary(_sibling(target)) as probe:
            probe.touch(exist_ok=False)
    except OSError as error:
        reason = f"nothing can be created in {target.parent}: {error.strerror}"
        raise UsageError(f"{path}: cannot be written: {reason}") from error


def _refuse_name(path: Path, target: Path) -> None:
    """Refuse an impossible file name; the file itself need not exist yet."""
    try:
        target.lstat()
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path}: cannot be written: {why}") from error


def is_stream(path: Path) -> bool:
    """Return whether the path leads to a device, pipe or stream, which is written in place.

    >>> is_stream(Path("/dev/null")), is_stream(Path("report.json"))
    (True, False)
    """
    if _open_file(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _open_file(path: Path) -> tuple[int, int] | None:
    """Return the process and descriptor of a name such as /dev/stdout, also through links.

    It may be a regular file, opened by a shell for all that is printed; it must not be
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
        descriptor = _opened_for_writing(path)
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _opened_for_writing(path: Path) -> int:
    """Open a device or pipe; wait a limited time for a pipe's reader."""
    end = time.monotonic() + MOST_WAITED
    while True:
        try:
            return os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > end:
                raise OSError(errno.ENXIO, NO_READER) from error
        time.sleep(0.02)


def _write_all(descriptor: int, data: bytes) -> None:
    """Write in pieces that a pipe accepts at once, so that a stalled reader is noticed."""
    ready = select.poll()
    ready.register(descriptor, select.POLLOUT)
    left = memoryview(data)
    while left:
        if not ready.poll(MOST_WAITED * 1000):
            raise OSError(errno.ETIMEDOUT, STALLED)
        with contextlib.suppress(BlockingIOError):
            left = left[os.write(descriptor, left[: select.PIPE_BUF]) :]


def _replace(target: Path, data: bytes) -> None:
    """Write next to the target and rename, with the old file's permissions."""
    with temporary(_sibling(target)) as path:
        with path.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # some file systems say only here that they are full
        if target.exists():
            path.chmod(stat.S_IMODE(target.stat().st_mode))
        path.replace(target)


def _sibling(target: Path) -> Path:
    """Return a temporary path next to the target."""
    return target.with_name(f"{owned()}{secrets.token_hex(8)}")
