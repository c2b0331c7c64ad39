"""--color, NO_COLOR, FORCE_COLOR, and the width of the terminal."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

import pytest
from command_door import Door

import tokaudit
from tokaudit.cli.terminal.look import look
from tokaudit.report.writer import Look

COLOUR = re.compile("\x1b\\[[0-9;]+m")
LONGEST = 300  # seconds
TOKAUDIT = Path(sys.executable).parent / "tokaudit"


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs these tests may have chosen colours."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


def open_terminal(columns: int) -> tuple[int, TextIO]:
    """What is read from a new terminal of so many columns, and its stream to write to."""
    outside, inside = os.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return outside, os.fdopen(inside, "w")


@pytest.fixture
def terminal() -> Iterator[TextIO]:
    outside, stream = open_terminal(73)
    yield stream
    stream.close()
    os.close(outside)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[TextIO]:
    with (tmp_path / "out").open("w") as stream:
        yield stream


#           option    environment                               terminal  file
DECIDED = [
    ("auto", {}, True, False),
    ("auto", {"TERM": "dumb"}, False, False),
    ("auto", {"NO_COLOR": "1"}, False, False),
    ("auto", {"NO_COLOR": ""}, True, False),
    ("auto", {"FORCE_COLOR": "1"}, True, True),
    ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True, True),
    ("never", {"FORCE_COLOR": "1"}, False, False),
]


@pytest.mark.parametrize(("option", "environment", "on_terminal", "in_file"), DECIDED)
def test_the_option_decides_then_no_color_then_force_color_then_the_stream(
    option: str,
    environment: dict[str, str],
    on_terminal: bool,
    in_file: bool,
    terminal: TextIO,
    file: TextIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (look(terminal, option).color, look(file, option).color) == (on_terminal, in_file)


def test_the_width_is_that_of_the_terminal_or_of_a_page(terminal: TextIO, file: TextIO) -> None:
    assert (look(terminal, "auto").width, look(file, "auto").width) == (73, Look().width)
    assert look(None, "auto") == Look()


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("7", 40), ("x", 120), ("-3", 120)])
def test_columns_says_the_width_where_it_is_a_number(
    columns: str, width: int, file: TextIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert look(file, "auto").width == width


@pytest.fixture
def report(small: Path, tmp_path: Path) -> Path:
    """A report.json with a warning."""
    path = tmp_path / "report.json"
    tokaudit.audit(small, select=["vocab/holes"], tier="quick").save(path)
    return path


@pytest.fixture
def printed(door: Door) -> Callable[..., str]:
    """What the command prints into a pipe, in the environment as it is."""

    def run(*arguments: str | Path) -> str:
        done = door.run(list(map(str, arguments)), LONGEST, dict(os.environ))
        assert done.returncode == 0
        return done.stdout

    return run


def test_a_report_is_coloured_on_request_and_says_the_same(
    report: Path, printed: Callable[..., str]
) -> None:
    plain, coloured = (printed("report", report, "--color", how) for how in ("never", "always"))
    assert COLOUR.search(coloured)
    assert not COLOUR.search(plain)
    assert COLOUR.sub("", coloured).split() == plain.split()


def test_a_format_for_programs_is_never_coloured(report: Path, printed: Callable[..., str]) -> None:
    shown = printed("report", report, "--color", "always", "--format", "json")
    assert "\x1b" not in shown


@pytest.mark.parametrize("columns", [50, 130])
def test_a_report_is_as_wide_as_the_terminal(report: Path, columns: int, processes: None) -> None:
    outside, stream = open_terminal(columns)
    with stream:
        subprocess.run([TOKAUDIT, "report", report], stdout=stream, check=True)
    shown = b""
    while True:
        try:
            piece = os.read(outside, 65536)
        except OSError:  # how Linux ends a terminal that nobody writes to any more
            break
        if not piece:
            break
        shown += piece
    os.close(outside)
    lines = COLOUR.sub("", shown.decode()).replace("\r", "").splitlines()
    longest = max(map(len, lines))
    assert columns - 20 < longest <= columns
