"""Entry points are read as the standard library reads them, of installed packages only."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest
from third_party_site import declare, environment, packages_of, python

from tokaudit.foundation.plugins import installed as plugins
from tokaudit.foundation.plugins.entry_points import GROUP, entry_points
from tokaudit.report.writer import WRITERS

SHOW = """
from tokaudit.foundation.plugins.entry_points import entry_points
for point in entry_points(): print(point.distribution, point.place, point.package)
"""
OURS = """\
tokaudit adapters tokaudit.runtimes.adapters
tokaudit data tokaudit.products.data.files.formats
tokaudit formats tokaudit.subject.formats
tokaudit jobs tokaudit.products.chat.rendering.jobs
tokaudit jobs tokaudit.products.data.ids.jobs
tokaudit jobs tokaudit.products.engines.jobs
tokaudit needs tokaudit.engine.providers
tokaudit needs tokaudit.products.chat.needs
tokaudit needs tokaudit.products.compare.needs
tokaudit needs tokaudit.products.data.needs
tokaudit needs tokaudit.products.engines.needs
tokaudit reports tokaudit_reports
tokaudit suites tokaudit_suites
"""
ACORN = {"console_scripts": {"x": "a:b"}, GROUP: {"suites": "acorn.suites"}}
LATER = {GROUP: {"suites": "later.suites"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A virtual environment with what is installed here."""
    return environment(tmp_path / "environment")


def shown(folder: Path) -> str:
    done = python(folder, "-P", "-c", SHOW)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_they_are_those_that_the_standard_library_finds() -> None:
    found = {(point.place, point.package) for point in entry_points()}
    standard = importlib.metadata.entry_points(group=GROUP)
    assert found == {(each.name.partition(".")[0], each.value) for each in standard}
    assert ("suites", "tokaudit_suites") in found


def test_those_of_tokaudit_come_first(folder: Path, processes: None) -> None:
    declare(packages_of(folder), "acorn-1.0", ACORN)
    assert shown(folder) == f"{OURS}acorn suites acorn.suites\n"


def test_of_two_distributions_of_one_name_the_first_on_the_path_counts(
    folder: Path, processes: None
) -> None:
    later = folder / "later"
    later.mkdir()
    (packages_of(folder) / "zz_later.pth").write_text(f"{later}\n{folder}/missing.zip\n")
    declare(later, "Acorn-1.0", LATER)
    assert shown(folder) == f"{OURS}acorn suites later.suites\n"
    declare(packages_of(folder), "acorn-2.0", ACORN)
    assert shown(folder) == f"{OURS}acorn suites acorn.suites\n"


@pytest.mark.parametrize("path", ["", "{here}", "/nowhere:", ".", "{here}:/nowhere"])
def test_neither_the_current_folder_nor_pythonpath_declares_any(
    tmp_path: Path, path: str, processes: None
) -> None:
    declare(tmp_path, "acorn-1.0", ACORN)
    given = os.environ | {"PYTHONPATH": path.format(here=tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.path.append('')" + SHOW],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=given,
    )
    assert done.stdout == OURS, done.stderr


def test_a_line_of_code_in_a_file_of_the_site_folder_names_no_folder(
    folder: Path, processes: None
) -> None:
    declare(folder / "lib", "acorn-1.0", ACORN)
    added = packages_of(folder) / "code.pth"
    added.write_text(f"import sys; sys.path.append({str(folder / 'lib')!r})\n")
    assert shown(folder) == OURS
    added.write_text(f"{folder / 'lib'}\n")
    assert shown(folder) == f"{OURS}acorn suites acorn.suites\n"


def test_without_the_entry_points_of_tokaudit_itself_it_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "path", [])
    entry_points.cache_clear()
    assert plugins.installed(WRITERS) == plugins.Installed(
        {}, ("tokaudit is not installed completely: install it again with pip",)
    )
    entry_points.cache_clear()
