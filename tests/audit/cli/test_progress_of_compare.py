"""A comparison of several shows on a terminal which pair is at work, and nothing elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from processes import Command

from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.process

TOKAUDIT = str(Path(sys.executable).parent / "tokaudit")


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three small tokenizers in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    for name in "abc":
        (tmp_path / name).mkdir()
        Folder.bpe({name: 0, "x": 1, f"{name}x": 2}, [[name, "x"]]).write(tmp_path / name)
    return ["a", "b", "c"]


def on_terminal(*arguments: str) -> str:
    """What the installed command writes to stderr where that is a terminal."""
    outside, inside = os.openpty()
    written: list[bytes] = []

    def listen() -> None:
        try:
            while data := os.read(outside, 4096):
                written.append(data)
        except OSError:  # the other end was closed
            pass

    listener = threading.Thread(target=listen)
    listener.start()
    subprocess.run([TOKAUDIT, *arguments], stdout=subprocess.DEVNULL, stderr=inside, check=False)
    os.close(inside)
    listener.join(10)
    os.close(outside)
    return b"".join(written).decode("utf-8", "replace")


def test_the_pair_at_work_is_shown_on_a_terminal(three: list[str]) -> None:
    shown = on_terminal("compare", *three, "--tier", "quick")
    assert "a against" in shown
    assert "b against" in shown


def test_quiet_shows_nothing_on_a_terminal(three: list[str]) -> None:
    assert on_terminal("compare", *three, "--tier", "quick", "--quiet") == ""


def test_nothing_is_shown_where_there_is_no_terminal(
    three: list[str], tokaudit_in_fork: Command
) -> None:
    done = tokaudit_in_fork("compare", *three, "--tier", "quick")
    assert (done.returncode, done.stderr) == (1, "")
