"""Whatever happens to its outputs, an audit says so in one line and destroys nothing."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

Shell = Callable[..., "subprocess.CompletedProcess[str]"]
FILES = ("--select", "files", "--quiet")
SMALL_FILES = 'ulimit -f 1; exec "$@"'  # KiB, less than any report takes


def audit(shell: Shell, line: str, subject: Path, *more: str | Path) -> tuple[int, str, str]:
    done = shell(line, "audit", subject, *FILES, *more)
    return done.returncode, done.stdout, done.stderr


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def untimed(text: str) -> str:
    """A report for the terminal without its last paragraph: the seconds of each part."""
    return text.rstrip().rpartition("\n\n")[0]


def test_closed_and_full_streams_change_no_verdict(shell: Shell, yardstick: Path) -> None:
    arguments = (
        "audit",
        yardstick,
        "--quiet",
        "--tier",
        "quick",
        "--select",
        "agreement/reference",
    )
    expected = untimed(shell('exec "$@"', *arguments).stdout)
    for streams in ("<&-", "<&- 2>&-", "2>/dev/full"):
        done = shell(f'exec "$@" {streams}', *arguments)
        assert (done.returncode, untimed(done.stdout), done.stderr) == (0, expected, ""), streams


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('exec "$@" >&-', "it is closed"),
        ('exec "$@" <&- >&-', "it is closed"),
        ('exec "$@" >/dev/full', "No space left on device"),
    ],
)
def test_a_stdout_that_takes_nothing_is_exit_5(
    in_a_shell: Shell, yardstick: Path, line: str, why: str
) -> None:
    said = f"tokaudit: stdout: cannot be written: {why}\n"
    assert audit(in_a_shell, line, yardstick) == (5, "", said)


def test_the_list_of_checks_asks_a_closed_stdout_for_no_width(shell: Shell) -> None:
    done = shell('exec "$@" >&-', "checks")
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == "tokaudit: stdout: cannot be written: it is closed\n"


@pytest.mark.parametrize("command", ["manifest", "checks", "--version"])
def test_every_command_says_in_one_line_that_stdout_is_full(
    shell: Shell, yardstick: Path, command: str
) -> None:
    arguments = [command, str(yardstick)] if command == "manifest" else [command]
    done = shell('exec "$@" >/dev/full', *arguments)
    said = "tokaudit: stdout: cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (5, said)


def test_findings_weigh_more_than_a_report_that_is_lost(shell: Shell, failing: Path) -> None:
    code, _, said = audit(shell, 'exec "$@" >/dev/full', failing)
    assert (code, said) == (1, "tokaudit: stdout: cannot be written: No space left on device\n")


@pytest.mark.parametrize(("subject", "code"), [("yardstick", 0), ("failing", 1)])
def test_a_reader_that_leaves_changes_no_exit_code(
    shell: Shell, request: pytest.FixtureRequest, subject: str, code: int
) -> None:
    line = '"$@" --format json | true; exit ${PIPESTATUS[0]}'
    assert audit(shell, line, request.getfixturevalue(subject)) == (code, "", "")


def test_a_full_disk_leaves_the_old_report_and_nothing_else(
    shell: Shell, yardstick: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out" / "report.json"
    out.parent.mkdir()
    out.write_text("old")
    code, _, said = audit(shell, SMALL_FILES, yardstick, "--out", out)
    assert (code, said) == (5, f"tokaudit: {out}: cannot be written: File too large\n")
    assert (names_in(out.parent), out.read_text()) == (["report.json"], "old")


def test_an_output_that_fails_keeps_no_other_from_being_written(
    shell: Shell, yardstick: Path, tmp_path: Path
) -> None:
    full, good = tmp_path / "full.json", tmp_path / "good.json"
    full.symlink_to("/dev/full")
    code, _, said = audit(shell, 'exec "$@"', yardstick, "--out", full, "--out", good)
    assert (code, said) == (5, f"tokaudit: {full}: cannot be written: No space left on device\n")
    assert json.loads(good.read_text())["verdict"] == "pass"


@pytest.mark.parametrize(
    "out", ["/proc/self/report.json", "{tmp}/nowhere/report.json", "{tmp}/loop.json"]
)
def test_where_no_file_can_be_is_refused_before_the_work(
    shell: Shell, tmp_path: Path, out: str
) -> None:
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    path = out.format(tmp=tmp_path)
    code, _, said = audit(shell, 'exec "$@"', tmp_path / "no subject", "--out", path)
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"tokaudit: {path}: cannot be written: ")


def test_nothing_is_written_over_the_subject_by_whatever_name(
    shell: Shell, yardstick: Path, tmp_path: Path
) -> None:
    subject = yardstick / "tokenizer.json"
    before = subject.read_bytes()
    link, hard, blob = (tmp_path / f"{name}.json" for name in ("link", "hard", "blob"))
    link.symlink_to(subject)
    hard.hardlink_to(subject)
    blob.write_text("{}")
    (yardstick / "config.json").symlink_to(blob)
    for out in (subject, link, hard, blob, yardstick / "report.json"):
        code, _, said = audit(shell, 'exec "$@"', yardstick, "--out", out)
        assert (code, "write the output elsewhere" in said) == (2, True), out
    assert (subject.read_bytes(), blob.read_text()) == (before, "{}")


def test_a_link_is_followed_to_its_file_which_keeps_its_rights(
    shell: Shell, yardstick: Path, tmp_path: Path
) -> None:
    link, target, absent = (tmp_path / f"{name}.json" for name in ("link", "target", "absent"))
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    (tmp_path / "dangling.json").symlink_to(absent)
    outs = ("--out", link, "--out", tmp_path / "dangling.json")
    assert audit(shell, 'umask 022; exec "$@"', yardstick, *outs) == (0, "", "")
    assert link.is_symlink()
    assert [json.loads(path.read_text())["verdict"] for path in (target, absent)] == ["pass"] * 2
    assert [stat.S_IMODE(path.stat().st_mode) for path in (target, absent)] == [0o640, 0o644]


def test_a_report_to_dev_stdout_comes_after_what_is_there_already(
    shell: Shell, yardstick: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    line = f'(echo before; "$@" --format json --out /dev/stdout; echo after) > {log}'
    assert audit(shell, line, yardstick)[0] == 0
    first, *report, last = log.read_text().splitlines()
    assert (first, json.loads("".join(report))["verdict"], last) == ("before", "pass", "after")


def test_a_report_to_a_closed_dev_stdout_is_exit_5(shell: Shell, yardstick: Path) -> None:
    more = ("--format", "json", "--out", "/dev/stdout")
    said = "tokaudit: /dev/stdout: cannot be written: Bad file descriptor\n"
    assert audit(shell, 'exec "$@" >&-', yardstick, *more) == (5, "", said)


def test_a_pipe_is_written_to_and_stays_one(shell: Shell, yardstick: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert audit(shell, 'exec "$@"', yardstick, "--out", pipe) == (0, "", "")
    reader.join()
    assert json.loads(read[0])["verdict"] == "pass"
    assert pipe.is_fifo()


@pytest.mark.parametrize(("minor", "code"), [(3, 0), (7, 5)], ids=["null", "full"])
def test_a_device_is_written_to_and_stays_one(
    shell: Shell, yardstick: Path, tmp_path: Path, minor: int, code: int
) -> None:
    device = tmp_path / "device.json"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        device.open("wb").close()
    except PermissionError:
        pytest.skip("device nodes cannot be made or used here")
    assert audit(shell, 'exec "$@"', yardstick, "--out", device)[0] == code
    assert device.is_char_device()
    assert names_in(tmp_path) == ["device.json", "yardstick"]


def test_two_audits_to_one_file_leave_one_whole_report(
    shell: Shell, yardstick: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.json"
    line = '"$@" & first=$!; "$@"; second=$?; wait $first; echo $? $second'
    assert audit(shell, line, yardstick, "--out", out) == (0, "0 0\n", "")
    assert json.loads(out.read_text())["verdict"] == "pass"
    assert names_in(tmp_path) == ["report.json", "yardstick"]


def test_an_ascii_stdout_gets_the_data_that_a_file_gets(
    shell: Shell, material: Path, tmp_path: Path
) -> None:
    subject = material / "hostile2" / "surrogate_manifest"
    out = tmp_path / "manifest.json"
    assert shell('exec "$@"', "manifest", subject, "--out", out).returncode == 0
    done = shell('PYTHONIOENCODING=ascii exec "$@"', "manifest", subject)
    assert (done.returncode, done.stdout, done.stderr) == (0, out.read_text(), "")


def test_an_ascii_stdout_shows_what_it_has_no_letters_for(
    shell: Shell, yardstick: Path, tmp_path: Path
) -> None:
    subject = yardstick.rename(tmp_path / "größe")
    code, text, said = audit(shell, 'PYTHONIOENCODING=ascii exec "$@"', subject)
    assert (code, r"gr\xf6\xdfe" in text, said) == (0, True, "")


LIMITS = {"-n 12": "Too many open files", "-v 65000": "out of memory"}
"""Near the 140 to 260 MB that an audit takes, Python itself dies of a thread that half began."""


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_of_the_process_is_one_line_or_the_reason_of_the_verdict(
    shell: Shell, yardstick: Path, limit: str
) -> None:
    done = shell(
        f'ulimit {limit}; exec "$@"', "audit", yardstick, "--select", "agreement/reference"
    )
    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert LIMITS[limit] in done.stdout + done.stderr
    verdict = any(line.startswith("UNVERIFIABLE") for line in done.stdout.splitlines())
    assert verdict or done.stderr.startswith("tokaudit: ")
