"""The list of checks that is built with a wheel: what it says, and when it does not count."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from third_party_site import install
from third_party_site import python as run_python

import check_catalogue
from tokaudit.cli import main
from tokaudit.engine.check import all_checks
from tokaudit.foundation.catalogue import NAME, Listed, catalogue_of, listed
from tokaudit.foundation.entry_points import EntryPoint

ROOT = Path(__file__).parents[3]
ROOTS = ("audit", "reference_impl", "suites", "reports")
LISTED = "from tokaudit.foundation.catalogue import listed; print(listed() is not None)"
LIST = "import sys; from tokaudit.cli import main; sys.exit(main(['checks']))"
ADDED = '''
@check("vocab/new", title="It is new", why="a", remedy="a", severity=Severity.INFO,
       basis=Basis.INTRINSIC)
def new(spec: TokenizerSpec) -> Iterator[Finding]:
    """Nothing."""
    yield from ()
'''


@pytest.fixture(scope="module")
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
    said = [Listed(c.id, str(c.severity), c.title) for c in ours]
    assert check_catalogue.listed_in(check_catalogue.FOLDER) == said


def test_the_list_of_checks_is_the_same_from_the_catalogue_and_from_the_checks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = check_catalogue.listed_in(check_catalogue.FOLDER)
    monkeypatch.setattr("tokaudit.foundation.catalogue.listed", lambda: ours)
    assert main(["checks"]) == 0
    shown = capsys.readouterr().out
    monkeypatch.setattr("tokaudit.foundation.catalogue.listed", lambda: None)
    assert main(["checks"]) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.process
def test_a_clone_lists_its_checks_before_anything_is_built(clone: Path) -> None:
    assert in_clone(clone, "-c", LISTED) == "False\n"
    assert "vocab/holes" in in_clone(clone, "-c", LIST)


@pytest.mark.process
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


@pytest.mark.process
def test_a_comment_in_a_check_leaves_the_list_as_it_was(built: Path, tmp_path: Path) -> None:
    commented = tmp_path / "commented"
    shutil.copytree(built, commented)
    before = in_clone(commented, "-c", LIST)
    check = commented / "suites/tokaudit_suites/vocab/holes.py"
    check.write_text(check.read_text() + "# A comment.\n")
    assert in_clone(commented, "-c", LIST) == before


@pytest.mark.process
def test_a_wheel_holds_the_catalogue_of_its_checks(clone: Path, tmp_path: Path) -> None:
    built = tmp_path / "built"
    shutil.copytree(clone, built)
    in_clone(built, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "out"))
    (wheel,) = (tmp_path / "out").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    package = tmp_path / "installed" / "tokaudit_suites"
    assert (package / NAME).read_text("utf-8") == catalogue_of(
        str(package), check_catalogue.listed_in(check_catalogue.FOLDER)
    )


@pytest.mark.process
def test_a_package_of_others_without_a_catalogue_hides_none_of_its_checks(tmp_path: Path) -> None:
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
    line = Listed("grown/first", "error", "Something holds")
    (package / NAME).write_text(catalogue_of(str(package), [line]), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("grown", "suites", "grown_suites")
    monkeypatch.setattr("tokaudit.foundation.catalogue.entry_points", lambda: (point,))
    assert listed() == [line]
    (package / "second.py").touch()
    assert listed() is None
