"""`tokaudit compare --template`, as it is installed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import FAMILIES, with_template

Command = Callable[..., "CompletedProcess[str]"]


def test_one_space_more_is_shown_by_the_shortest_conversation(
    tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    family = FAMILIES["ChatML"]
    one = chat_folders.write(tmp_path / "one", family)
    spaced = with_template(family, family.template + "{{ ' ' }}")
    other = chat_folders.write(tmp_path / "other", spaced)
    done = tokaudit_in_fork("compare", "--template", one, other, "--format", "json")
    (result,) = json.loads(done.stdout)["results"]
    assert done.returncode == 1
    assert result["findings"][0]["cause"] == "differs"
    assert result["findings"][0]["evidence"][0]["first_difference"] is not None


def test_the_same_template_passes(tokaudit_in_fork: Command, tmp_path: Path) -> None:
    folder = chat_folders.write(tmp_path / "one", FAMILIES["Llama"])
    done = tokaudit_in_fork("compare", "--template", folder, folder)
    assert done.returncode == 0


def test_three_subjects_are_wrong_usage(tokaudit_in_fork: Command, tmp_path: Path) -> None:
    done = tokaudit_in_fork("compare", "--template", tmp_path, tmp_path, tmp_path)
    assert done.returncode == 2
    assert "compare --template: name exactly two tokenizers or templates" in done.stderr
