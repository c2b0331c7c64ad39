"""What the tests of the command share: a subject that costs little, and the command in a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT
from processes import Command, starts_processes

PROGRAM = str(Path(sys.executable).parent / "tokaudit")
PLAIN = 'exec "$@"'
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def yardstick(tmp_path: Path) -> Path:
    """A folder with a real tokenizer of few entries, in which the checks of files find nothing."""
    folder = tmp_path / "yardstick"
    folder.mkdir()
    source = ROOT / "suites/tokaudit_suites/throughput/yardstick.json"
    (folder / "tokenizer.json").write_bytes(source.read_bytes())
    return folder


@pytest.fixture
def failing(yardstick: Path) -> Path:
    """The same with a second statement of the vocabulary that does not parse: an error."""
    (yardstick / "vocab.json").write_text("{")
    (yardstick / "merges.txt").touch()
    return yardstick


@pytest.fixture(scope="session")
@starts_processes
def shell(tokaudit_in_fork: Command) -> Shell:
    """Runs a line of a shell in which `"$@"` is the installed command with its arguments.

    A line of nothing else needs no shell, so a fork of the command does the same.
    """

    def run(
        line: str, *arguments: str | Path, **options: object
    ) -> subprocess.CompletedProcess[str]:
        if line == PLAIN and not options:
            return tokaudit_in_fork(*arguments)
        options.setdefault("env", {**os.environ, "COLUMNS": "100"})  # as a fork has it
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            ["bash", "-c", line, "bash", PROGRAM, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **options,
        )

    return run
