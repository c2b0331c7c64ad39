"""Calls of the system that fail: a small sample of what `make failing-calls` tries in full."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from processes import starts_processes

from tokaudit_failing_calls.command import parsed, places
from tokaudit_failing_calls.commands import prepare
from tokaudit_failing_calls.running import Place, built, troubles

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compile the faults")

SAMPLE = (
    ("report", "open", 1),
    ("report", "open", 12),
    ("report", "rename", 1),
    ("report", "write", 1),
    ("report", "read", 40),
    ("train", "rename", 1),
    ("train", "open", 30),
    ("manifest", "rename", 1),
    ("audit", "rename", 1),
    ("audit", "fork", 1),
)


@pytest.fixture(scope="module")
@starts_processes
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("faults")
    prepare(folder / "work", None)
    with closing(Place(built(folder), folder / "work")) as ready:
        yield ready


@pytest.mark.parametrize(("command", "call", "at"), SAMPLE)
def test_a_call_that_fails_ends_in_one_line_and_leaves_nothing(
    command: str, call: str, at: int, place: Place
) -> None:
    assert place.run(command, call, at).trouble == ""


def test_a_result_that_cannot_be_put_in_its_place_is_said(place: Place) -> None:
    assert place.run("report", "rename", 1).code == 5


def test_a_run_without_faults_counts_its_calls(place: Place) -> None:
    found = place.run("report", "rename", 0)
    assert (found.code, found.calls, found.trouble) == (0, 1, "")


def test_what_does_not_hold_is_found(tmp_path: Path) -> None:
    for name in ("out", "tmp"):
        (tmp_path / name).mkdir()
    (tmp_path / "out" / "r.json").write_text('{"half')
    (tmp_path / "tmp" / "tokaudit-read-x").touch()
    said = list(troubles(4, "Traceback\nOSError: no", tmp_path, ["gone"]))
    assert [each.partition(":")[0] for each in said] == [
        "exit code 4",
        "a traceback",
        "left behind",
        "changed the folder",
        "half-written",
    ]


def test_the_first_places_are_all_tried_and_later_ones_are_drawn() -> None:
    options = parsed(["--first", "3", "--later", "2", "--seeded", "4"])
    few, many = places("open", 2, options), places("open", 900, options)
    assert (few, many[:3], len(many)) == ([1, 2], [1, 2, 3], 5)
    assert len(places("malloc", 900, options)) == 4
    assert many == places("open", 900, options)
