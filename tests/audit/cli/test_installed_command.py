"""The installed command and its fork in tests say and write the same, for every command."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from command_door import Door
from processes import Command

from tokaudit.cli import COMMANDS
from tokaudit_folders.folder import Folder

TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
CASES: dict[str, tuple[str, ...]] = {
    "demo": ("demo", "small"),
    "audit": ("audit", "small", "--tier", "quick", "--out", "r.json", "--manifest", "m.json"),
    "fix": ("fix", "small", "--tier", "quick"),
    "compare": ("compare", "small", "other", "--tier", "quick", "--out", "c.md"),
    "id": ("id", "small"),
    "manifest": ("manifest", "small", "--out", "m.json"),
    "verify": ("verify", "small", "gone.json"),
    "gate": ("gate", "--out", "gate.md"),
    "chat": ("chat", "small"),
    "data": ("data", "gone.npy", "--tokenizer", "small"),
    "runtimes": ("runtimes", "small", "--runtime", "none-of-that-name"),
    "vectors": ("vectors", "small", "--out", "v.json"),
    "loaders": ("loaders", "small"),
    "trace": ("trace", "small", "abab"),
    "train": ("train", "small", "--out", "t", "--model", "bpe", "--vocab-size", "300"),
    "report": ("report", "gone.json"),
    "checks": ("checks", "vocab/holes"),
    "no command": (),
    "a wrong command": ("adit",),
    "help": ("--help",),
    "version": ("--version",),
}
NUMBER = re.compile(r"[0-9][0-9a-f.]*")
TIMES = re.compile(r"^[\d.,]+ m?s: .*", re.MULTILINE | re.DOTALL)  # the last paragraph of a report


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two folders with the same two small tokenizers and a configuration of the gate."""
    made = [tmp_path / name / "in" for name in ("installed", "forked")]
    for each in made:
        each.mkdir(parents=True)
        small = Folder.bpe("ab", ["a b"]).added("</s>").config(vocab_size=4)
        small.write(each / "small")
        Folder.bpe("ab", ["b a"]).added("</s>").config(vocab_size=4).write(each / "other")
        (each / "tokaudit.toml").write_text('[[subjects]]\npath = "small"\ntier = "quick"\n')
    return made


def test_every_command_is_among_the_cases() -> None:
    assert CASES.keys() >= COMMANDS.keys()


@pytest.mark.parametrize("name", CASES)
def test_both_end_alike_say_the_same_and_write_the_same_files(
    name: str, tokaudit_command: Command, tokaudit_in_fork: Command, folders: list[Path]
) -> None:
    both = zip((tokaudit_command, tokaudit_in_fork), folders, strict=True)
    done = [run(*CASES[name], cwd=folder) for run, folder in both]
    ours, forked = ((each.returncode, masked(each.stdout), masked(each.stderr)) for each in done)
    assert forked == ours
    there = [sorted(str(p.relative_to(each)) for p in each.rglob("*")) for each in folders]
    assert there[1] == there[0]


def masked(text: str) -> str:
    """A text without its numbers and times, and in one line."""
    return " ".join(NUMBER.sub("0", TIMES.sub("", text)).split())


def test_a_fork_has_its_own_environment_and_folder_and_leaves_those_of_the_next_alone(
    tokaudit_in_fork: Command, folders: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = tokaudit_in_fork("id", "small", cwd=folders[0])
    monkeypatch.chdir(folders[1])
    assert tokaudit_in_fork("id", "small").stdout == first.stdout != ""
    monkeypatch.chdir(folders[1].parent)
    assert tokaudit_in_fork("id", "small").returncode == 3


def test_what_python_reads_when_it_starts_is_left_to_the_installed_command(
    tokaudit_in_fork: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text("print('started')")
    assert tokaudit_in_fork("--version").stdout.startswith("started")


def test_a_command_that_takes_too_long_is_killed_and_the_next_one_runs(
    door: Door, tmp_path: Path
) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        door.run(["train", "-", "--out", "x"], 0.0, dict(os.environ), tmp_path)
    assert door.run(["--version"], 300, dict(os.environ)).returncode == 0
