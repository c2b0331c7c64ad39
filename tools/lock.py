"""Writes requirements.lock, as `make lock` does.

It pins what tests and CI install, with the digest of the file that pip chooses on this platform: on
another one it is written again.  The package itself is left out, as it is what is tested.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
WANTED = (f"{ROOT}[demo,test]", "hatchling", "hatch-fancy-pypi-readme", "editables")


def main() -> int:
    """Ask pip what it would install, and write it down."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--quiet", "--only-binary", ":all:", "--no-binary", "tokaudit", "--report", "-"]
    done = subprocess.run([*command, *WANTED], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        return 1
    where = f"CPython {platform.python_version()}, {sys.platform}, {platform.machine()}"
    LOCK.write_text(locked(json.loads(done.stdout)["install"], where), "utf-8")
    return 0


def locked(installed: Sequence[Mapping[str, Any]], where: str) -> str:
    """The lines of the lock: each package by name with its version and digest."""
    lines = []
    for each in installed:
        download = each["download_info"]
        if "archive_info" in download:  # the package itself is a folder
            name, version = each["metadata"]["name"], each["metadata"]["version"]
            digest = download["archive_info"]["hashes"]["sha256"]
            lines.append(f"{name.lower()}=={version} --hash=sha256:{digest}\n")
    return f"# {where}; written by `make lock`\n" + "".join(sorted(lines))
