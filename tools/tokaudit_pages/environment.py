"""A new environment for a page: nothing but tokaudit, built as it would be published.

`pip install tokaudit` on a page then finds it there, so that no index is asked for that name.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build_wheel(folder: Path) -> Path:
    """The wheel of this source."""
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(ROOT))
    (wheel,) = folder.glob("tokaudit-*.whl")
    return wheel


def new_environment(folder: Path, wheel: Path) -> Path:
    """The programs of a new virtual environment with the wheel."""
    _run(sys.executable, "-m", "venv", str(folder))
    programs = folder / "bin"
    _run(str(programs / "pip"), "install", "--quiet", str(wheel))
    return programs


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
