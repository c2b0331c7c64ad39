"""Runs pytest as a user does, in a folder of the user's own, and reads how each item ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

CLEAN = ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_CURRENT_TEST", "PYTEST_PLUGINS")


@dataclass(frozen=True)
class Run:
    """How a run of pytest ended."""

    code: int
    shown: str
    outcomes: dict[str, str]
    """Id -> passed, failed, error or skipped."""


def run_pytest(folder: Path, *arguments: str | Path) -> Run:
    """Run the installed pytest in a folder."""
    junit = folder / "junit.xml"
    junit.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if name not in CLEAN}
    done = subprocess.run(
        [Path(sys.executable).parent / "pytest", "--junit-xml", junit, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        stdin=subprocess.DEVNULL,
        env=environment,
    )
    outcomes = {}
    if junit.exists():
        for case in ElementTree.parse(junit).iter("testcase"):
            tags = [tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None]
            ended = {"failure": "failed"}.get(tags[0], tags[0]) if tags else "passed"
            outcomes[f"{case.get('classname')}::{case.get('name')}"] = ended
    return Run(done.returncode, done.stdout + done.stderr, outcomes)


Pytest = Callable[..., Run]
