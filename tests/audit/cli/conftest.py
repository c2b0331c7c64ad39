"""What the tests of the command share: a subject that costs little, and the command in a shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from command_door import Door
from locations import ROOT
from processes import starts_processes
from real_tokenizers import small_bpe

PROGRAM = str(Path(sys.executable).parent / "tokaudit")
PLAIN, INTO_FULL = 'exec "$@"', 'exec "$@" >/dev/full'
IN_A_FORK = {PLAIN: "", INTO_FULL: "import os; os.dup2(os.open('/dev/full', os.O_WRONLY), 1)"}
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def yardstick(tmp_path: Path) -> Path:
    """A folder with a real tokenizer of 40 merges, in which the checks of files find nothing."""
    folder = tmp_path / "yardstick"
    folder.mkdir()
    (folder / "tokenizer.json").write_text(yardstick_of_few(), "utf-8")
    return folder


@cache
def yardstick_of_few() -> str:
    source = ROOT / "suites/tokaudit_suites/throughput/yardstick.json"
    return json.dumps(small_bpe(json.loads(source.read_bytes()), 40))


@pytest.fixture
def failing(yardstick: Path) -> Path:
    """The same with a second statement of the vocabulary that does not parse: an error."""
    (yardstick / "vocab.json").write_text("{")
    (yardstick / "merges.txt").touch()
    return yardstick


@pytest.fixture(scope="session")
@starts_processes
def shell(door: Door, in_a_shell: Shell) -> Shell:
    """Runs a line of a shell in which `"$@"` is the command with its arguments.

    Two lines that occur most need no shell: a fork of the command does the same.
    """

    def run(
        line: str, *arguments: str | Path, **options: object
    ) -> subprocess.CompletedProcess[str]:
        if options or line not in IN_A_FORK or not door.fits():
            return in_a_shell(line, *arguments, **options)
        environment = {**os.environ, "COLUMNS": "100"}
        return door.run(list(map(str, arguments)), 300, environment, hook=IN_A_FORK[line])

    return run


@pytest.fixture(scope="session")
@starts_processes
def in_a_shell() -> Shell:
    """Runs a line of a shell in which `"$@"` is the installed command with its arguments."""

    def run(
        line: str, *arguments: str | Path, **options: object
    ) -> subprocess.CompletedProcess[str]:
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
