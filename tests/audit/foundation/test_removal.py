"""Whatever a program has made of a folder, it goes: nothing is followed, and no depth is too deep."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokaudit.foundation import leftovers
from tokaudit.foundation.removal import Steps, TooMuchToRemove, remove_tree


def nested(folder: Path, depth: int, name: str = "d") -> None:
    """Folders in folders, deeper than any path can name."""
    here = os.open(folder, os.O_DIRECTORY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


MAKES_LOCKED = """
import os, sys
from tokaudit.foundation.removal import remove_tree
if os.geteuid() == 0:
    os.chown(sys.argv[1], 65534, 65534)
    os.chdir(sys.argv[1])
    os.setgroups([])
    os.setresuid(65534, 65534, 65534)
else:
    os.chdir(sys.argv[1])
os.makedirs("top/a/b/c")
open("top/a/b/file", "w").close()
for name, mode in (("top/a/b/c", 0), ("top/a/b", 0o300), ("top/a", 0o100), ("top", 0o200)):
    os.chmod(name, mode)
remove_tree("top")
print(os.path.lexists("top"))
"""


def test_folders_nested_deeper_than_paths_and_stacks_can_be_are_removed(tmp_path: Path) -> None:
    (tmp_path / "top").mkdir()
    nested(tmp_path / "top", 1_100)
    remove_tree(str(tmp_path / "top"))
    assert list(tmp_path.iterdir()) == []


def test_names_as_long_as_they_can_be_are_removed_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "top").mkdir()
    nested(tmp_path / "top", 40, "x" * 255)
    remove_tree(str(tmp_path / "top"))
    assert list(tmp_path.iterdir()) == []


def test_a_removal_needs_few_descriptors(tmp_path: Path) -> None:
    (tmp_path / "top").mkdir()
    nested(tmp_path / "top", 100)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = len(list(Path("/proc/self/fd").iterdir())) + 8 if Path("/proc/self/fd").exists() else 64
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, before[1]))
    try:
        remove_tree(str(tmp_path / "top"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert list(tmp_path.iterdir()) == []


def test_folders_that_nobody_may_enter_are_removed(tmp_path: Path, processes: None) -> None:
    command = [sys.executable, "-c", MAKES_LOCKED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_what_links_lead_to_stays(tmp_path: Path) -> None:
    outside, top = tmp_path / "outside", tmp_path / "top"
    (outside / "folder").mkdir(parents=True)
    (outside / "file").write_text("kept")
    (top / "in").mkdir(parents=True)
    for folder in (top, top / "in"):
        (folder / "folder").symlink_to(outside)
        (folder / "file").symlink_to(outside / "file")
        (folder / "itself").symlink_to(folder)
    os.link(outside / "file", top / "hard")
    remove_tree(str(top))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "folder", "outside"]
    assert (outside / "file").read_text() == "kept"


@pytest.mark.parametrize("make", [os.mkfifo, Path.touch, lambda path: path.symlink_to("nowhere")])
def test_what_is_no_folder_is_removed_and_never_opened(
    make: Callable[[Path], object], tmp_path: Path
) -> None:
    make(tmp_path / "one")
    remove_tree(str(tmp_path / "one"))
    assert list(tmp_path.iterdir()) == []


def test_nothing_there_is_no_error(tmp_path: Path) -> None:
    remove_tree(str(tmp_path / "none"))


def test_the_work_is_bounded_and_what_is_left_goes_the_next_time(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    for number in range(50):
        (top / str(number)).touch()
    with pytest.raises(TooMuchToRemove):
        remove_tree(str(top), Steps(20))
    assert len(list(top.iterdir())) == 30
    remove_tree(str(top))
    assert not top.exists()


def test_no_removal_raises_whatever_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: str, steps: object) -> None:
        raise RecursionError

    monkeypatch.setattr(leftovers, "remove_tree", refused)
    leftovers.remove_path(tmp_path)
    assert tmp_path.exists()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("drawn")


TREES = st.recursive(
    st.sampled_from(["file", "link", "fifo"]),
    lambda inner: st.dictionaries(st.text("ab\n\udcff. ", min_size=3), inner, max_size=4),
    max_leaves=30,
)


def make(tree: object, path: str) -> None:
    """Make what was drawn."""
    if isinstance(tree, dict):
        Path(path).mkdir()
        for name, inner in tree.items():
            make(inner, f"{path}/{name}")
    elif tree == "link":
        Path(path).symlink_to("/")
    elif tree == "fifo":
        os.mkfifo(path)
    else:
        Path(path).touch()


@given(tree=TREES)
@settings(max_examples=60, deadline=None)
def test_every_tree_is_removed(tree: object, place: Path) -> None:
    make(tree, f"{place}/top")
    remove_tree(f"{place}/top")
    assert list(place.iterdir()) == []
