"""What would be published: its metadata, and that every Python takes the wheel."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest
from locations import ROOT

import release
import release_papers
from release import VERSIONS, Tried

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_metadata_is_complete() -> None:
    given = {"name", "description", "license", "keywords", "classifiers", "scripts"}
    assert given < PROJECT.keys()
    assert PROJECT["dynamic"] == ["version", "readme"]
    assert "urls" not in PROJECT, "links of the long description can lead to the address, too"


def test_every_python_that_is_promised_is_tried() -> None:
    promised = {each.rpartition(" :: ")[2] for each in PROJECT["classifiers"] if ":: 3." in each}
    assert promised == set(VERSIONS)
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"


def test_what_is_not_here_is_said() -> None:
    assert release.try_with("3.0", None, Path("x.whl")) == Tried("3.0", None)
    assert str(Tried("3.0", None)) == "Python 3.0: not on this machine, so not tried"


def test_a_python_that_does_not_take_the_wheel_is_trouble(tmp_path: Path, processes: None) -> None:
    tried = release.try_with("3.0", Path("/bin/false"), tmp_path / "x.whl")
    assert tried.trouble.startswith("/bin/false -m venv ")
    assert str(tried).startswith("Python 3.0: /bin/false -m venv ")


def test_a_link_that_an_index_would_lose_is_noticed() -> None:
    page = '<a href="#tests">a</a> <a href="docs/ci.md">b</a> <img src="docs/report.png">'
    assert release.lost_links(page) == ["docs/ci.md", "docs/report.png"]


def test_two_builds_that_differ_are_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "a.whl").write_bytes(b"same")
        (folder / "a.tar.gz").write_bytes(folder.name.encode())
    release.refuse_other_bytes(release.digests(first), release.digests(first))
    with pytest.raises(RuntimeError, match=r"^two builds differ: a\.tar\.gz$"):
        release.refuse_other_bytes(release.digests(first), release.digests(second))


def test_provenance_names_each_file_the_commit_and_the_tools() -> None:
    files = {"b.whl": "2" * 64, "a.tar.gz": "1" * 64}
    said = release_papers.provenance(files, "f" * 40, "315532800", {"python": "3.11.9"})
    assert [each["name"] for each in said["subject"]] == ["a.tar.gz", "b.whl"]
    definition = said["predicate"]["buildDefinition"]
    assert definition["resolvedDependencies"] == [
        {"name": "source", "digest": {"gitCommit": "f" * 40}},
        {"name": "python", "annotations": {"version": "3.11.9"}},
    ]


def test_the_digests_of_a_release_are_those_that_sha256sum_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setattr(release_papers, "tools", dict)
    (tmp_path / "a.whl").write_bytes(b"same")
    release_papers.write_papers(tmp_path, "f" * 40, "0")
    checked = ("sha256sum", "--check", "--strict", "--quiet", release_papers.SUMS)
    assert subprocess.run(checked, cwd=tmp_path, check=False).returncode == 0
    assert sorted(release.digests(tmp_path)) == [
        release_papers.SUMS, "a.whl", release_papers.PROVENANCE
    ]  # fmt: skip
    (tmp_path / "a.whl").write_bytes(b"other")
    assert subprocess.run(checked, cwd=tmp_path, check=False, stderr=-3).returncode == 1


@pytest.mark.published
def test_the_package_is_built_and_every_python_here_takes_it(tmp_path: Path) -> None:
    python = ROOT / ".venv/release-tools/bin/python"
    if not python.is_file():
        pytest.skip("nothing that builds packages here: make .venv/release-tools")
    done = subprocess.run(
        [python, "-m", "release", tmp_path / "dist"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Python {VERSIONS[0]}: installed, and audits a checkpoint" in done.stdout
