"""Entry points are read as the standard library reads them, without the time that it takes."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokaudit.plugins import kinds
from tokaudit.plugins.entry_points import GROUP, EntryPoint, entry_points
from tokaudit.report.writer import WRITERS

ACORN = "[console_scripts]\nx = a:b\n\n# ours\n[tokaudit.plugins]\nsuites=acorn.suites\n"


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    """The path is read again, in the test and after it."""
    entry_points.cache_clear()
    yield
    entry_points.cache_clear()


def declare(folder: Path, name: str, text: str) -> str:
    (folder / name).mkdir(parents=True)
    (folder / name / "METADATA").write_text(f"Name: {name.partition('-')[0]}\nVersion: 1\n")
    (folder / name / "entry_points.txt").write_text(text)
    return str(folder)


def by_the_standard_library() -> set[tuple[str, str]]:
    return {(e.name, e.value) for e in importlib.metadata.entry_points(group=GROUP)}


def test_they_are_those_that_the_standard_library_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(declare(tmp_path, "acorn-1.0.dist-info", ACORN))
    found = {(point.place, point.package) for point in entry_points()}
    assert found == by_the_standard_library()
    assert ("suites", "acorn.suites") in found and ("suites", "tokaudit_suites") in found


def test_those_of_tokaudit_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(declare(tmp_path, "acorn-1.0.dist-info", ACORN))
    assert [point.distribution for point in entry_points()] == ["tokaudit"] * 5 + ["acorn"]


def test_of_two_distributions_of_one_name_the_first_on_the_path_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = declare(tmp_path / "b", "Acorn-1.0.dist-info", ACORN.replace("acorn", "later"))
    first = declare(tmp_path / "a", "acorn-2.0.dist-info", ACORN)
    monkeypatch.setattr(sys, "path", [first, later, str(tmp_path / "missing.zip")])
    assert entry_points() == (EntryPoint("acorn", "suites", "acorn.suites"),)
    assert by_the_standard_library() == {("suites", "acorn.suites")}


def test_without_the_entry_points_of_tokaudit_itself_it_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [])
    assert kinds.installed(WRITERS) == kinds.Installed(
        {}, ("tokaudit is not installed completely: install it again with pip",)
    )
