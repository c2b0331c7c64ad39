"""Remove files and folders safely, whatever a hostile program has made of them.

Folders are opened relative to the one that holds them, so that no path is too long and no link is
followed.  A folder that lies inside another one is first moved up to the top, so that the depth
costs neither descriptors nor recursion.  The work is bounded.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass

MOST_STEPS = 1_000_000  # entries that are looked at; the budget of a worker allows far fewer
OWNER_MAY_ALL = stat.S_IRWXU
OPENED = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
AS_A_NAME = getattr(os, "O_PATH", 0)  # of Linux, where no right to read is needed


class TooMuchToRemove(OSError):
    """Raised when a removal has used up its steps; the rest is left for the next."""


@dataclass
class Steps:
    """The number of entries that may still be inspected."""

    left: int = MOST_STEPS

    def take(self) -> None:
        """Use one step; raise `TooMuchToRemove` if none is left."""
        self.left -= 1
        if self.left < 0:
            raise TooMuchToRemove("there is too much to remove")


def remove_tree(path: str, steps: Steps | None = None) -> None:
    """Remove a file, a link, or a folder with its contents; a missing one is no error.

    Raises `OSError` where something is left.
    """
    steps = steps or Steps()
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(status.st_mode):
        os.unlink(path)  # noqa: PTH108 - as all other calls here
        return
    with _folder(path, None, status.st_mode) as top:
        _empty(top, steps)
    os.rmdir(path)  # noqa: PTH106


def _empty(top: int, steps: Steps) -> None:
    """Remove a folder's contents, as long as each pass removes or moves something."""
    done = True
    while done:
        done = False
        with os.scandir(top) as entries:
            for entry in entries:
                steps.take()
                with contextlib.suppress(OSError):
                    _remove(entry, top, steps)
                    done = True
        done = done and not _is_empty(top)


def _remove(entry: os.DirEntry[str], top: int, steps: Steps) -> None:
    """Remove an entry of the top folder; raise `OSError` if one pass does not suffice."""
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.name, dir_fd=top)
        return
    with _folder(entry.name, top, _mode(entry)) as folder, os.scandir(folder) as entries:
        for inner in entries:
            steps.take()
            if inner.is_dir(follow_symlinks=False):
                _move_up(inner, folder, top)
            else:
                os.unlink(inner.name, dir_fd=folder)
    with contextlib.suppress(OSError):  # not all was listed, so there is another look
        os.rmdir(entry.name, dir_fd=top)


def _move_up(entry: os.DirEntry[str], folder: int, top: int) -> None:
    """Move a folder to the top, changing its mode if needed."""
    with _folder(entry.name, folder, _mode(entry)):
        os.rename(entry.name, secrets.token_hex(12), src_dir_fd=folder, dst_dir_fd=top)


@contextlib.contextmanager
def _folder(name: str, within: int | None, mode: int) -> Iterator[int]:
    """Open a folder as a descriptor, and give its owner all permissions."""
    locked = mode & OWNER_MAY_ALL != OWNER_MAY_ALL
    if locked and not AS_A_NAME:
        os.chmod(name, OWNER_MAY_ALL, dir_fd=within, follow_symlinks=False)
    found = os.open(name, OPENED | (AS_A_NAME if locked else 0), dir_fd=within)
    try:
        if locked and AS_A_NAME:
            os.chmod(f"/proc/self/fd/{found}", OWNER_MAY_ALL)  # noqa: PTH101
            named, found = found, os.open(os.curdir, OPENED, dir_fd=found)
            os.close(named)
        yield found
    finally:
        os.close(found)


def _mode(entry: os.DirEntry[str]) -> int:
    return entry.stat(follow_symlinks=False).st_mode


def _is_empty(top: int) -> bool:
    with os.scandir(top) as entries:
        return next(entries, None) is None
