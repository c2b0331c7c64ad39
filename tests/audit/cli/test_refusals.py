"""What a command refuses: in one line, with its exit code, and with the report that was asked for."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import Command

from tokaudit.cli import main
from tokaudit.foundation.errors import NotWrittenError
from tokaudit.report import saving

Shell = Callable[..., "subprocess.CompletedProcess[str]"]

LONG = "a" * 300
EMPTY = (
    ("audit", ""),
    ("audit", "FOLDER", "--out", ""),
    ("audit", "FOLDER", "--manifest", ""),
    ("audit", "FOLDER", "--base", ""),
    ("audit", "FOLDER", "--select", ""),
    ("audit", "FOLDER", "--select", "vocab,,merges"),
    ("audit", "FOLDER", "--", ""),
    ("compare", "FOLDER", ""),
    ("id", ""),
    ("manifest", "FOLDER", "--out", ""),
    ("verify", "FOLDER", ""),
    ("verify", "", "m.json"),
    ("gate", "--config", ""),
    ("chat", ""),
    ("trace", "", "text"),
    ("train", "", "--out", "x", "--vocab-size", "300"),
    ("report", ""),
    ("report", "--diff", "a.json", ""),
)


@pytest.mark.parametrize("arguments", EMPTY, ids=" ".join)
def test_an_empty_argument_is_refused_by_its_name(
    arguments: tuple[str, ...], yardstick: Path, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    given = [str(yardstick) if each == "FOLDER" else each for each in arguments]
    before = sorted(tmp_path.rglob("*"))
    done = tokaudit_in_fork(*given, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()[-1:]
    assert line.startswith("tokaudit")
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_text_to_trace_is_a_text(yardstick: Path, tokaudit_in_fork: Command) -> None:
    done = tokaudit_in_fork("trace", yardstick, "")
    assert (done.returncode, done.stderr) == (0, "")


# the option, and the exit code for a name that no file can have
TOO_LONG = {
    ("audit", "FOLDER", "--out", f"{LONG}.json"): 2,
    ("audit", "FOLDER", "--out", f"{LONG}/"): 2,
    ("audit", "FOLDER", "--manifest", LONG): 2,
    ("audit", "FOLDER", "--corpus", LONG): 2,
    ("audit", "FOLDER", "--conversations", LONG): 2,
    ("audit", "FOLDER", "--base", LONG): 3,
    ("audit", "FOLDER", "--allow-root", LONG): 0,
    ("audit", LONG): 3,
    ("audit", f"hf:{LONG}"): 3,
    ("audit", f"pkg:{LONG}"): 3,
    ("compare", "FOLDER", LONG): 3,
    ("compare", "FOLDER", "FOLDER", "--write-map", LONG): 2,
    ("manifest", "FOLDER", "--out", LONG): 2,
    ("manifest", "FOLDER", "--sign", LONG): 3,
    ("verify", "FOLDER", LONG): 3,
    ("gate", "--config", LONG): 2,
    ("report", LONG): 3,
    ("train", LONG, "--out", "x", "--model", "bpe", "--vocab-size", "300"): 3,
    ("train", "FOLDER", "--out", LONG, "--model", "bpe", "--vocab-size", "300"): 2,
}


@pytest.mark.parametrize("arguments", TOO_LONG, ids=lambda each: " ".join(each).replace(LONG, "L"))
def test_a_name_that_is_too_long_ends_in_one_line(
    arguments: tuple[str, ...], yardstick: Path, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    given = [str(yardstick) if each == "FOLDER" else each for each in arguments]
    given += ["--quiet", "--select", "files"] if arguments[0] == "audit" else []
    done = tokaudit_in_fork(*given, cwd=tmp_path)
    assert done.returncode == TOO_LONG[arguments]
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (0 if done.returncode == 0 else 1)


WRITTEN = ("r.json", "r.html", "r.sarif", "r.xml", "r.md")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("audit", "not/a/folder"), "not/a/folder: does not exist"),
        (("compare", "not/a/folder", "not/a/folder"), "not/a/folder: does not exist"),
        (("compare", "--template", "not/a/folder", "not/a/folder"), "not/a/folder: does not exist"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_a_refusal_writes_the_report_that_was_asked_for(
    command: tuple[str, ...], reason: str, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    outs = [part for name in WRITTEN for part in ("--out", name)]
    done = tokaudit_in_fork(*command, *outs, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, f"tokaudit: {reason}\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(WRITTEN)
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["verdict"] == "unverifiable"
    assert report["verdict_reason"] == (
        f"{reason}; put that right, or name another subject, and run the command again"
    )
    assert all("not/a/folder" in (tmp_path / name).read_text() for name in WRITTEN)


def test_a_refusal_on_a_terminal_is_one_line_and_no_report(
    tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    done = tokaudit_in_fork("audit", "not/a/folder", cwd=tmp_path)
    said = "tokaudit: not/a/folder: does not exist\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", said)


def test_a_gate_whose_manifest_is_gone_writes_its_report(
    yardstick: Path, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    subject = f'[[subjects]]\npath = "{yardstick}"\nmanifest = "gone.json"\n'
    (tmp_path / "tokaudit.toml").write_text(subject)
    done = tokaudit_in_fork("gate", "--out", "r.json", cwd=tmp_path)
    assert done.returncode == 3
    assert "gone.json" in json.loads((tmp_path / "r.json").read_text())["verdict_reason"]


def test_a_report_from_a_run_before_is_not_left_next_to_a_refusal(
    tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    (tmp_path / "r.json").write_text("of yesterday")
    tokaudit_in_fork("audit", "gone", "--out", "r.json", cwd=tmp_path)
    assert json.loads((tmp_path / "r.json").read_text())["verdict"] == "unverifiable"


def test_a_pipe_without_a_reader_ends_in_time(
    yardstick: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    processes: None,
) -> None:
    """The message says for how long it is waited where nobody is in a hurry, as this test is."""
    monkeypatch.setattr(saving, "MOST_WAITED", 0.1)
    os.mkfifo(tmp_path / "pipe.json")
    out = str(tmp_path / "pipe.json")
    assert main(["audit", str(yardstick), "--select", "files", "--quiet", "--out", out]) == 5
    said = capsys.readouterr().err
    assert said.endswith("it is a pipe that nobody has read from for 10 seconds\n")


def test_a_pipe_whose_reader_stalls_ends_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "MOST_WAITED", 0.1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(NotWrittenError, match="its reader has taken nothing"):
            saving.save(pipe, "x" * 1_000_000)
    finally:
        os.close(reader)


def test_a_pipe_with_a_reader_takes_all_that_is_written(tmp_path: Path, shell: Shell) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    line = 'cat pipe.json > got & "$@"; wait'
    shell(line, "audit", "gone", "--out", "pipe.json", cwd=tmp_path)
    assert json.loads((tmp_path / "got").read_text())["verdict"] == "unverifiable"
