"""Runs a program as root without capabilities, or as a user without any privilege."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NOBODY = 65534
DROP = ("--inh-caps=-all", "--bounding-set=-all")

REACHABLE = """
set -e
mkdir "$3/kept"
mount --bind "$2" "$3/kept"
mount -t tmpfs -o mode=755 none "$1"
mkdir -p "$2"
mount --bind "$3/kept" "$2"
shift 3
exec "$@"
"""
"""Shows an interpreter in a folder that is closed to others, in a namespace of its own."""


def without_capabilities(command: list[str]) -> list[str]:
    """The command for root without capabilities; raises `LookupError` with the reason."""
    return [*_setpriv(), *DROP, *command]


def as_nobody(command: list[str], folder: str) -> list[str]:
    """The command for a user who has no rights; raises `LookupError` with the reason."""
    user = [*_setpriv(), "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *DROP]
    closed = _closed(Path(sys.base_prefix))
    if closed is None:
        return [*user, *command]
    if shutil.which("unshare") is None:
        raise LookupError(f"{closed} is closed to other users, and there is no unshare")
    shown = ["sh", "-c", REACHABLE, "sh", str(closed), sys.base_prefix, folder]
    return ["unshare", "-m", *shown, *user, *command]


def _setpriv() -> list[str]:
    if os.geteuid() != 0:
        raise LookupError("only root can become another user")
    if shutil.which("setpriv") is None:
        raise LookupError("there is no setpriv")
    return ["setpriv"]


def _closed(path: Path) -> Path | None:
    """The outermost folder of a path that other users cannot enter."""
    whole = [*reversed(path.parents), path]
    return next((one for one in whole if not one.stat().st_mode & 0o001), None)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run it with temporary files in a folder that anybody may write in."""
    folder.chmod(0o1777)
    environment = {**os.environ, "TMPDIR": str(folder), "HOME": str(folder)}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=folder, check=False
    )


def open_folder() -> Path:
    """A new folder that other users can reach."""
    return Path(tempfile.mkdtemp(prefix="tokaudit-users-", dir="/tmp"))
