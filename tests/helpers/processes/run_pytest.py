"""Runs pytest in a folder of a user's own, installed or in a fork, and reads how each item ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from command_door import Door

IMPORTED = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"
LONGEST = 300  # seconds
CLEAN = ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "PYTEST_PLUGINS")


@dataclass(frozen=True)
class Run:
    """How a run of pytest ended."""

    code: int
    shown: str
    outcomes: dict[str, str]
    """Id -> passed, failed, error or skipped."""


def run_pytest(folder: Path, *arguments: str | Path, door: Door | None = None) -> Run:
    """Run pytest in a folder: the installed one, or without its start by a door."""
    junit = folder / "junit.xml"
    junit.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in CLEAN}
    given = ["--junit-xml", str(junit), *map(str, arguments)]
    if door:
        done = door.run(["-W", IMPORTED, *given], LONGEST, environment, folder, "pytest")
    else:
        done = _installed(folder, given, environment)
    return Run(done.returncode, done.stdout + done.stderr, _outcomes(junit))


def _installed(
    folder: Path, arguments: list[str], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).parent / "pytest", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
        stdin=subprocess.DEVNULL,
        env=environment,
    )


def _outcomes(junit: Path) -> dict[str, str]:
    outcomes = {}
    if junit.exists():
        for case in ElementTree.parse(junit).iter("testcase"):
            tags = [tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None]
            ended = {"failure": "failed"}.get(tags[0], tags[0]) if tags else "passed"
            outcomes[f"{case.get('classname')}::{case.get('name')}"] = ended
    return outcomes


Pytest = Callable[..., Run]
