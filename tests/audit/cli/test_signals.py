"""A signal ends an audit at once, at whatever moment, with nothing left behind.

The moments are events inside the command: a hook stops it there for good, and only the signal ends
it.  So nothing depends on how fast the machine is.  Those of its start, and of the start of a worker,
are of the installed command; those after are of a fork that has started.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command_door import Door
from processes import starts_processes

pytestmark = pytest.mark.usefixtures("processes")

PROGRAM = str(Path(sys.executable).parent / "tokaudit")
GENEROUS = 120  # seconds for what takes a moment
SAID = {
    signal.SIGINT: (130, "tokaudit: interrupted\n"),
    signal.SIGTERM: (143, "tokaudit: terminated\n"),
    signal.SIGHUP: (129, "tokaudit: hung up\n"),
}
HOOK = """
import os, sys, time

number, *moments = os.environ.pop("MOMENTS").split(",")  # popped: no matter of the workers
seen = dict.fromkeys(moments, 0)

def stop(event, arguments):
    for moment in moments:
        happens, word, nth = moment.split()
        if event == happens and word in str(arguments[0]):
            seen[moment] += 1
            if seen[moment] == int(nth):
                os.kill(os.getpid(), int(number))
                while "STAY" in os.environ:
                    time.sleep(1)

sys.addaudithook(stop)
"""
HEED = """
import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
"""  # whatever started the tests
AT_ONCE = "import argparse 1"
AT_START = {
    "the options are parsed": AT_ONCE,
    "the libraries are imported": "import tokaudit.products.audit.auditing 1",
    "the plug-ins are imported": "import tokaudit_reports.arranged.order 1",
    "the checks are imported": "import tokaudit_suites.shared.stated_roles 1",
    "a worker is started": "subprocess.Popen python 1",
}
AT_WORK = {
    "an output is tried": "open .tokaudit- 1",
    "the subject is read": "open tokenizer.json 1",
    "the first report is written": "open .tokaudit- 3",
    "the first report is put in its place": "os.rename .tokaudit- 1",
    "the second report is put in its place": "os.rename .tokaudit- 2",
}
ENCODER = """
import os, sys, time

sys.stdin.readline()
with open(sys.argv[1] + ".part", "w") as file:
    file.write(f"{os.getpid()} {os.getppid()}")
os.rename(sys.argv[1] + ".part", sys.argv[1])  # it is whole when it is there
while True:
    time.sleep(1)
"""

RECOVERING = """
import json, os, sys, time
from tokenizers import Tokenizer

tokenizer = Tokenizer.from_file(sys.argv[2])
for line in sys.stdin:
    if not os.path.exists(sys.argv[1]):
        with open(sys.argv[1] + ".part", "w") as file:
            file.write(f"{os.getpid()} {os.getppid()}")
        os.rename(sys.argv[1] + ".part", sys.argv[1])
        while True:
            time.sleep(1)
    found = tokenizer.encode(json.loads(line)["text"], add_special_tokens=False)
    print(json.dumps({"ids": found.ids}), flush=True)
"""


@pytest.fixture
def hook(tmp_path: Path) -> dict[str, str]:
    """The environment in which the command stops at `MOMENTS` and is sent a signal there."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(HOOK)
    return {**os.environ, "PYTHONPATH": str(site), "STAY": "until the signal"}


def heeded() -> None:
    """Give signals the meaning that they have in a terminal, whatever started the tests."""
    for number in SAID:
        signal.signal(number, signal.SIG_DFL)


def started(*arguments: str | Path, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PROGRAM, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        preexec_fn=heeded,
    )


def end_of(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code and what was said on stderr; the command never gets so far as stdout."""
    out, said = process.communicate(timeout=GENEROUS)
    assert out == ""
    return process.returncode, said


def gone(process: int) -> bool:
    """Whether a process runs no more; one that nobody has waited for counts as gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + GENEROUS
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def outs(tmp_path: Path) -> list[Path]:
    """Two reports of before, alone in their folder."""
    folder = tmp_path / "reports"
    folder.mkdir()
    outs = [folder / "first.json", folder / "second.json"]
    for out in outs:
        out.write_text("old")
    return outs


def arguments(subject: Path, outs: list[Path], select: str = "files") -> list[str]:
    given = [str(part) for out in outs for part in ("--out", out)]
    return ["audit", str(subject), "--select", select, "--quiet", *given]


@pytest.mark.parametrize("number", SAID)
@pytest.mark.parametrize("moment", AT_START.values(), ids=AT_START)
def test_a_signal_while_it_starts_ends_an_audit_and_leaves_what_was_there(
    yardstick: Path, outs: list[Path], hook: dict[str, str], moment: str, number: signal.Signals
) -> None:
    asked = arguments(yardstick, outs, "agreement/reference" if "Popen" in moment else "files")
    env = hook | {"MOMENTS": f"{int(number)},{moment}"}
    assert end_of(started(*asked, env=env)) == SAID[number]
    assert sorted(outs[0].parent.iterdir()) == outs
    assert [out.read_text() for out in outs] == ["old", "old"]


@pytest.mark.parametrize("number", SAID)
@pytest.mark.parametrize("moment", AT_WORK.values(), ids=AT_WORK)
def test_a_signal_while_it_works_ends_an_audit_and_leaves_what_was_there(
    yardstick: Path, outs: list[Path], door: Door, moment: str, number: signal.Signals
) -> None:
    env = {**os.environ, "STAY": "until the signal", "MOMENTS": f"{int(number)},{moment}"}
    done = door.run(arguments(yardstick, outs), GENEROUS, env, hook=HEED + HOOK)
    assert (done.returncode, done.stderr, done.stdout) == (*SAID[number], "")
    assert sorted(outs[0].parent.iterdir()) == outs
    first, second = (out.read_text() for out in outs)
    if moment == "os.rename .tokaudit- 2":
        first = str(json.loads(first)["verdict"])
        assert (first, second) == ("pass", "old")
    else:
        assert (first, second) == ("old", "old")


@pytest.mark.parametrize("number", SAID)
def test_a_second_signal_does_not_wait_for_the_first(
    yardstick: Path, hook: dict[str, str], number: signal.Signals
) -> None:
    env = hook | {"MOMENTS": f"{int(number)},{AT_ONCE},import tokaudit.foundation.leftovers 1"}
    assert end_of(started("audit", yardstick, env=env)) == (-number, "")


def test_a_signal_that_the_caller_ignores_is_ignored(yardstick: Path, hook: dict[str, str]) -> None:
    del hook["STAY"]
    done = subprocess.run(
        ["nohup", PROGRAM, "audit", str(yardstick), "--select", "files", "--quiet"],
        env=hook | {"MOMENTS": f"{int(signal.SIGHUP)},{AT_ONCE}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=GENEROUS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\nPASS" in done.stdout


@pytest.fixture
@starts_processes
def asking(yardstick: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """An audit in the middle of a question, and its worker with the program that never answers."""
    encoder, pids = tmp_path / "encoder.py", tmp_path / "pids"
    encoder.write_text(ENCODER)
    command = f"cmd:{shlex.join([sys.executable, str(encoder), str(pids)])}"
    with started(
        "audit", yardstick, "--against", command, "--select", "agreement/against", "--quiet"
    ) as audit:
        wait_for(pids.exists)
        processes = [int(process) for process in pids.read_text().split()]
        assert not any(map(gone, processes))
        yield audit, processes


@pytest.mark.parametrize("number", SAID)
def test_a_signal_in_the_middle_of_a_question_ends_the_workers_too(
    asking: tuple[subprocess.Popen[str], list[int]], number: signal.Signals
) -> None:
    audit, processes = asking
    audit.send_signal(number)
    assert end_of(audit) == SAID[number]
    wait_for(lambda: all(map(gone, processes)))


def test_a_killed_audit_takes_its_workers_with_it_in_the_middle_of_a_question(
    asking: tuple[subprocess.Popen[str], list[int]],
) -> None:
    audit, processes = asking
    audit.kill()
    assert end_of(audit) == (-signal.SIGKILL, "")
    wait_for(lambda: all(map(gone, processes)))


def test_a_worker_that_is_killed_in_the_middle_of_a_question_is_asked_again_by_another(
    yardstick: Path, tmp_path: Path
) -> None:
    encoder, pids, out = tmp_path / "encoder.py", tmp_path / "pids", tmp_path / "report.json"
    encoder.write_text(RECOVERING)
    command = [sys.executable, str(encoder), str(pids), str(yardstick / "tokenizer.json")]
    arguments = ["--against", f"cmd:{shlex.join(command)}", "--select", "agreement/against"]
    with started("audit", yardstick, *arguments, "--tier=quick", "--quiet", "--out", out) as audit:
        wait_for(pids.exists)
        program, worker = (int(process) for process in pids.read_text().split())
        assert not gone(program) and not gone(worker) and audit.poll() is None
        os.kill(worker, signal.SIGKILL)
        assert end_of(audit) == (0, "")
        wait_for(lambda: gone(program))
    report = json.loads(out.read_text())
    assert (report["verdict"], report["comparison"]["different"]) == ("pass", 0)
    assert report["comparison"]["texts"] > 100
