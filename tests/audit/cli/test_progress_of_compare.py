"""A comparison of several shows on a terminal which pair is at work, and nothing elsewhere."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from command_door import Door
from processes import Command

from tokaudit_folders.folder import Folder

LONGEST = 300  # seconds


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three small tokenizers in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    for name in "abc":
        (tmp_path / name).mkdir()
        Folder.bpe({name: 0, "x": 1, f"{name}x": 2}, [[name, "x"]]).write(tmp_path / name)
    return ["a", "b", "c"]


ON_TERMINAL = "import os; os.dup2(os.open(os.environ.pop('TERMINAL'), os.O_RDWR | os.O_NOCTTY), 2)"


@pytest.fixture
def on_terminal(door: Door) -> Callable[..., str]:
    """What the command writes to stderr where that is a terminal."""

    def run(*arguments: str) -> str:
        outside, inside = os.openpty()
        written: list[bytes] = []
        listener = threading.Thread(target=written.extend, args=(read_from(outside),))
        listener.start()
        environment = {**os.environ, "TERMINAL": os.ttyname(inside)}
        door.run(list(arguments), LONGEST, environment, hook=ON_TERMINAL)
        os.close(inside)
        listener.join(10)
        os.close(outside)
        return b"".join(written).decode("utf-8", "replace")

    return run


def read_from(terminal: int) -> Iterator[bytes]:
    with suppress(OSError):  # the other end was closed
        while data := os.read(terminal, 4096):
            yield data


def test_the_pair_at_work_is_shown_on_a_terminal(
    three: list[str], on_terminal: Callable[..., str]
) -> None:
    shown = on_terminal("compare", *three, "--tier", "quick")
    assert "a against" in shown
    assert "b against" in shown


def test_quiet_shows_nothing_on_a_terminal(
    three: list[str], on_terminal: Callable[..., str]
) -> None:
    assert on_terminal("compare", *three, "--tier", "quick", "--quiet") == ""


def test_nothing_is_shown_where_there_is_no_terminal(
    three: list[str], tokaudit_in_fork: Command
) -> None:
    done = tokaudit_in_fork("compare", *three, "--tier", "quick")
    assert (done.returncode, done.stderr) == (1, "")


def test_a_text_that_differs_is_shown_on_a_terminal_before_the_end(
    three: list[str], on_terminal: Callable[..., str]
) -> None:
    shown = on_terminal("compare", "a", "b", "--tier", "quick")
    assert "has different ids: " in shown
    assert "ids: differs" in shown
