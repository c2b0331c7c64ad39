"""What tests and CI install is locked: every package of the extras, with a digest."""

from __future__ import annotations

import re
import tomllib

from locations import ROOT

from lock import LOCK, locked

LINE = re.compile(r"([a-z0-9._-]+)==([^ ]+) --hash=sha256:[0-9a-f]{64}")


def test_the_lock_has_every_package_that_is_needed_with_its_digest() -> None:
    comment, *lines = LOCK.read_text("utf-8").splitlines()
    assert comment.startswith("# CPython 3.11")
    found = [LINE.fullmatch(line) for line in lines]
    assert None not in found
    names = {re.sub("[-_.]+", "-", each[1]) for each in found if each}
    assert len(names) == len(lines)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["demo"], *extras["test"], *extras["data"]]
    needed = {re.split("[^A-Za-z0-9_.-]", each)[0] for each in wanted} - {"tokaudit"}
    assert {re.sub("[-_.]+", "-", each) for each in needed} <= names


def test_the_package_itself_is_not_locked() -> None:
    one = {
        "metadata": {"name": "Regex", "version": "1.0"},
        "download_info": {"archive_info": {"hashes": {"sha256": "ab"}}},
    }
    itself = {"metadata": {"name": "tokaudit"}, "download_info": {"dir_info": {}}}
    assert locked([itself, one], "here") == (
        "# here; written by `make lock`\nregex==1.0 --hash=sha256:ab\n"
    )
