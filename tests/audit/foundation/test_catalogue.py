"""The list of checks that is built with a wheel: what it says, and when it does not count."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from locations import ROOT
from processes import starts_processes
from third_party_site import install
from third_party_site import python as run_python

import check_catalogue
from tokaudit.cli import main
from tokaudit.engine import check as engine_check
from tokaudit.engine import resolver
from tokaudit.engine.check import all_checks, check_ids, checks_named
from tokaudit.engine.resolver import NEEDS, Needs, all_needs
from tokaudit.foundation.plugins.catalogue import (
    NAME,
    Catalogue,
    Listed,
    catalogue_in,
    listed,
    text_of,
)
from tokaudit.foundation.plugins.entry_points import EntryPoint
from tokaudit.foundation.plugins.installed import installed

ROOTS = ("audit", "reference_impl", "suites", "reports")
OURS = check_catalogue.catalogue_of(check_catalogue.FOLDER)
LISTED = "from tokaudit.foundation.plugins.catalogue import listed; print(listed() is not None)"
LIST = "import sys; from tokaudit.cli import main; sys.exit(main(['checks']))"
ADDED = '''
@check("vocab/new", title="It is new", why="a", remedy="a", severity=Severity.INFO,
       basis=Basis.INTRINSIC)
def new(spec: TokenizerSpec) -> Iterator[Finding]:
    """Nothing."""
    yield from ()
'''


@pytest.fixture(scope="module")
@starts_processes
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a clone of this tree would hold, with nothing built and nothing installed."""
    folder = tmp_path_factory.mktemp("clone")
    held = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(held, cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    for name in filter(None, map(os.fsdecode, names)):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
@starts_processes
def built(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with a catalogue."""
    folder = tmp_path_factory.mktemp("catalogue") / "built"
    shutil.copytree(clone, folder)
    in_clone(folder, "tools/check_catalogue.py")
    return folder


def in_clone(clone: Path, *arguments: str) -> str:
    """What Python prints with the packages of the clone, and no others of ours."""
    path = os.pathsep.join(str(clone / root) for root in ROOTS)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_built_says_of_our_checks_what_they_say() -> None:
    ours = [c for c in all_checks() if c.function.__module__.startswith("tokaudit_suites.")]
    said = [Listed(c.id, str(c.severity), c.title, c.function.__module__) for c in ours]
    assert list(OURS.checks) == said


def test_what_is_built_names_the_modules_of_our_needs() -> None:
    ours = installed(replace(NEEDS, places=("suites",))).all()
    assert dict(OURS.needs) == {made: need.build.__module__ for made, need in ours.items()}


def test_the_list_of_checks_is_the_same_from_the_catalogue_and_from_the_checks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tokaudit.foundation.plugins.catalogue.listed", lambda: list(OURS.checks))
    assert main(["checks"]) == 0
    shown = capsys.readouterr().out
    monkeypatch.setattr("tokaudit.foundation.plugins.catalogue.listed", lambda: None)
    assert main(["checks"]) == 0
    assert capsys.readouterr().out == shown


@pytest.fixture
def with_ours(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue of our suites as they are now, whatever was built before they were changed."""
    monkeypatch.setattr("tokaudit.foundation.plugins.catalogue.catalogue_in", lambda package: OURS)
    for cached in (engine_check._modules_by_id, resolver._providers):
        cached.cache_clear()
    yield
    for cached in (engine_check._modules_by_id, resolver._providers):
        cached.cache_clear()


@pytest.mark.usefixtures("with_ours")
def test_the_checks_of_each_suite_are_the_same_from_the_catalogue_and_from_all_modules() -> None:
    assert listed() == list(OURS.checks)
    assert check_ids() == tuple(check.id for check in all_checks())
    for suite in sorted({check.suite for check in all_checks()}):
        of_suite = [check for check in all_checks() if check.suite == suite]
        assert checks_named((suite,)) == of_suite
    assert checks_named(()) == all_checks()


@pytest.mark.usefixtures("with_ours")
def test_needs_that_are_imported_when_asked_for_are_all_that_are_installed() -> None:
    providers = Needs.installed().providers
    assert {need.made: need for need in all_needs()} == dict(providers)
    assert all(providers[need.made] is need for need in all_needs())
    assert int not in providers and (int | str) not in providers


def test_an_audit_that_selects_one_check_imports_no_other(built: Path, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"model": {"vocab": {"a": 0}, "unk_token": "a"}}')
    audit = f"['audit', {str(tmp_path)!r}, '--quiet', '--select', 'vocab/holes']"
    program = (
        f"import sys; from tokaudit.cli import main; main({audit})\n"
        "held = (name.split('.') for name in sys.modules if name.startswith('tokaudit_suites.'))\n"
        "checks = (each[1:] for each in held if len(each) == 3 and each[1] != 'shared')\n"
        "print('imported', *('/'.join(each) for each in checks if each[1][0] != '_'))"
    )
    assert in_clone(built, "-c", program).splitlines()[-1] == "imported vocab/holes"


def test_a_clone_lists_its_checks_before_anything_is_built(clone: Path) -> None:
    assert in_clone(clone, "-c", LISTED) == "False\n"
    assert "vocab/holes" in in_clone(clone, "-c", LIST)


def test_a_clone_with_a_catalogue_lists_a_check_that_was_added_since(
    built: Path, tmp_path: Path
) -> None:
    grown = tmp_path / "grown"
    shutil.copytree(built, grown)
    assert in_clone(grown, "-c", LISTED) == "True\n"
    holes = grown / "suites/tokaudit_suites/vocab/holes.py"
    (holes.parent / "new.py").write_text(holes.read_text().partition("\n@check")[0] + ADDED)
    assert in_clone(grown, "-c", LISTED) == "False\n"
    assert "It is new" in in_clone(grown, "-c", LIST)


def test_a_comment_in_a_check_leaves_the_list_as_it_was(built: Path, tmp_path: Path) -> None:
    commented = tmp_path / "commented"
    shutil.copytree(built, commented)
    before = in_clone(commented, "-c", LIST)
    check = commented / "suites/tokaudit_suites/vocab/holes.py"
    check.write_text(check.read_text() + "# A comment.\n")
    assert in_clone(commented, "-c", LIST) == before


def test_a_wheel_holds_the_catalogue_of_its_checks(clone: Path, tmp_path: Path) -> None:
    built = tmp_path / "built"
    shutil.copytree(clone, built)
    in_clone(built, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "out"))
    (wheel,) = (tmp_path / "out").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    package = tmp_path / "installed" / "tokaudit_suites"
    assert (package / NAME).read_text("utf-8") == text_of(OURS, str(package))


def test_a_package_of_others_without_a_catalogue_hides_none_of_its_checks(
    tmp_path: Path, processes: None
) -> None:
    site = install(tmp_path / "site")
    assert run_python(site, "-c", LISTED, cwd=ROOT).stdout == "False\n"
    shown = run_python(site, "-c", LIST, cwd=ROOT).stdout
    assert "acorn/known" in shown and "vocab/holes" in shown


def test_a_catalogue_that_its_package_has_outgrown_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "grown_suites"
    package.mkdir()
    (package / "__init__.py").touch()
    line = Listed("grown/first", "error", "Something holds", "grown_suites.first")
    held = Catalogue((line,), (("grown_suites.Row", "grown_suites._rows"),))
    (package / NAME).write_text(text_of(held, str(package)), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("grown", "suites", "grown_suites")
    monkeypatch.setattr("tokaudit.foundation.plugins.catalogue.entry_points", lambda: (point,))
    assert catalogue_in("grown_suites") == held
    assert listed() == [line]
    (package / "second.py").touch()
    catalogue_in.cache_clear()  # as in the next process
    assert listed() is None


def test_a_catalogue_with_the_columns_of_an_older_version_does_not_count(tmp_path: Path) -> None:
    text = text_of(OURS, str(tmp_path))
    with patch(
        "tokaudit.foundation.plugins.catalogue.Listed", namedtuple("Listed", "id severity title")
    ):
        assert text_of(OURS, str(tmp_path)) != text
