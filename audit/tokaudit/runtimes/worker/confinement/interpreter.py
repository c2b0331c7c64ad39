"""Folders of this interpreter's libraries, and whether root could lose access to them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

LIBRARY_FOLDERS = ("lib", "lib32", "lib64")


def libraries() -> Iterator[str]:
    """Yield the interpreter's libraries, and those of the dynamic linker."""
    yield from [sys.pycache_prefix] if sys.pycache_prefix else []
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        yield from (os.path.join(prefix, folder) for folder in LIBRARY_FOLDERS)  # noqa: PTH118
    linked = os.environ.get("LD_LIBRARY_PATH", "")
    yield from (entry for entry in linked.split(os.pathsep) if entry.startswith(os.sep))


def closed_to_root() -> bool:
    """Return whether root without capabilities cannot read its libraries."""
    if os.geteuid() != 0:
        return False
    folders = {*libraries(), *(each for each in sys.path if each.startswith(os.sep))}
    return any(map(_closed, folders))


def _closed(path: str) -> bool:
    """Return whether a folder or one of its parents is closed to this user."""
    folder = Path(path)
    if not folder.is_dir():
        return False
    for each in (folder.stat() for folder in (folder, *folder.parents)):
        bit = 0o100 if each.st_uid == 0 else 0o010 if each.st_gid == 0 else 0o001
        if not each.st_mode & bit:
            return True
    return False
