"""Who is blamed when a worker dies: what it was asked, only if it dies of that by itself, twice."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tokaudit.foundation.errors import WorkerLost
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker import client, deaths
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerCrashed, WorkerTokenizer
from tokaudit.runtimes.worker.deaths import NOT_STARTED, WorkerDied, by_exit, by_signal, surely
from tokaudit.runtimes.worker.resources.usage import children
from tokaudit_folders.folder import Folder

FAKES = Path(__file__).parent / "fakes"
CHECKS = ("--select", "round_trip/encodes,agreement")
OWN, OTHER = (WorkerDied("died", "", own=own) for own in (True, False))
LIBRARY = """
import os, signal, sys, time


class Tokenizer:
    @staticmethod
    def from_file(path):
        {0}
"""


def asked(*ends: WorkerDied | str) -> Callable[[], str]:
    """A question that ends in one way after the other."""
    left = iter(ends)

    def ask() -> str:
        end = next(left)
        if isinstance(end, WorkerDied):
            raise end
        return end

    return ask


@pytest.mark.parametrize("first", [OWN, OTHER])
def test_one_death_blames_nobody(first: WorkerDied) -> None:
    assert surely(asked(first, "answer")) == "answer"


def test_two_deaths_of_its_own_are_the_library_s() -> None:
    with pytest.raises(WorkerDied):
        surely(asked(OWN, OWN))


@pytest.mark.parametrize("ends", [(OWN, OTHER), (OTHER, OWN), (OTHER, OTHER)])
def test_a_death_from_outside_among_two_decides_nothing(ends: tuple[WorkerDied, ...]) -> None:
    with pytest.raises(WorkerLost, match="and not by its own task: died"):
        surely(asked(*ends))


def test_the_death_of_the_batch_is_the_first_of_a_text() -> None:
    with pytest.raises(WorkerDied):
        surely(asked(OWN, "answer"), before=OWN)
    assert surely(asked(OTHER, "answer"), before=OWN) == "answer"
    with pytest.raises(WorkerDied):
        surely(asked(OTHER, OWN), before=OWN)


def test_a_batch_is_looked_at_more_closely_after_one_death_of_its_own() -> None:
    with pytest.raises(WorkerDied):
        surely(asked(OWN, "answer"), suspect=True)
    assert surely(asked(OTHER, "answer"), suspect=True) == "answer"


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGXFSZ"])
def test_a_crash_signal_is_the_library_s_own(name: str) -> None:
    assert by_signal(getattr(signal, name), "", confined=False).own
    assert not by_signal(getattr(signal, name), "", confined=True).own


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGUSR1", "SIGALRM"])
def test_any_other_signal_is_not(name: str) -> None:
    assert not by_signal(getattr(signal, name), "", confined=False).own


def test_an_exit_before_the_question_is_not() -> None:
    assert not by_exit(NOT_STARTED, "", confined=False).own
    assert by_exit(7, "", confined=False).own


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None) -> Iterator[Library]:
    """Opens a sandboxed worker whose library does something when it loads."""
    opened: list[WorkerTokenizer] = []

    def load(does: str) -> WorkerTokenizer:
        folder = tmp_path / "library" / "tokenizers"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").write_text(LIBRARY.format(does))
        (tmp_path / "tokenizer.json").write_text("{}")
        monkeypatch.setenv("PYTHONPATH", str(folder.parent))
        request = LoadRequest("tokenizers", str(tmp_path / "tokenizer.json"))
        opened.append(WorkerTokenizer(request, limits=WorkerLimits()))
        return opened[-1]

    yield load
    for one in opened:
        one.close()


Library = Callable[[str], WorkerTokenizer]


def test_a_library_that_crashes_at_each_load_is_blamed(library: Library) -> None:
    opened = library("os.abort()")
    with pytest.raises(WorkerCrashed, match="load: killed by SIGABRT"):
        _ = opened.info
    assert opened._deaths == 2


def test_a_load_that_is_killed_from_outside_blames_nobody(library: Library) -> None:
    with pytest.raises(WorkerLost, match="and not by its own task: killed by SIGKILL"):
        _ = library("os.kill(os.getpid(), signal.SIGKILL)").info


def test_a_load_that_blocks_without_computing_is_ended_soon_and_blamed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ASLEEP", 0.5)
    opened, began = library("time.sleep(600)"), time.monotonic()
    with pytest.raises(WorkerCrashed, match=r"no answer within 0\.5 s without computing"):
        _ = opened.info
    assert time.monotonic() - began < 60


def test_two_blocked_loads_end_within_a_minute() -> None:
    assert 2 * client.ASLEEP <= 50


def test_a_worker_that_is_stopped_is_late_and_not_blamed(
    monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    with WorkerTokenizer(LoadRequest("call", "fake_encoders:code_points"), timeout=0.5) as opened:
        _ = opened.info
        assert opened._process is not None
        os.kill(opened._process.pid, signal.SIGSTOP)
        assert opened.encode(["abc"])[0].error is None
        assert (opened._deaths, opened._lost) == (0, 1)


def test_who_is_killed_once_gives_the_same_answers(
    monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    with WorkerTokenizer(LoadRequest("call", "fake_encoders:code_points")) as opened:
        expected = opened.encode(["abc", "d"])
        assert opened._process is not None
        os.kill(opened._process.pid, signal.SIGKILL)
        assert opened.encode(["abc", "d"]) == expected


def test_who_is_killed_again_and_again_is_given_up_without_blame(
    monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    monkeypatch.setattr(client, "MOST_LOST", 1)
    with WorkerTokenizer(LoadRequest("call", "fake_encoders:code_points")) as opened:
        for _ in range(2):
            _ = opened.vocab
            if opened._process is None:
                _ = opened.encode(["a"])
            assert opened._process is not None
            os.kill(opened._process.pid, signal.SIGKILL)
            if opened._lost:
                with pytest.raises(WorkerLost, match="2 times; the last time killed by SIGKILL"):
                    opened.encode(["a"])
            else:
                opened.encode(["a"])


def audited(tmp_path: Path, before: str) -> tuple[int, dict[str, object]]:
    """The exit code and the report of an audit of a sound subject, after some lines of Python."""
    folder, out = Folder.bpe("ab", ["a b"]).write(tmp_path / "subject"), tmp_path / "report.json"
    given = ["tokaudit", "audit", str(folder), "--tier", "quick", *CHECKS, "--out", str(out)]
    program = f"import sys\n{before}\nsys.argv = {given}\nfrom tokaudit.cli import main\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}sys.exit(main())"], capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr
    assert out.is_file(), done.stderr
    return done.returncode, json.loads(out.read_text())


FORBIDDEN = """
import ctypes, errno, struct
from tokaudit.runtimes.worker.confinement import seccomp
machine = seccomp.machine()
number = {"x86_64": 157, "aarch64": 167}[machine.name]
lines = [(0x20, 0, 0, 0), (0x15, 0, 4, number), (0x20, 0, 0, 16), (0x15, 0, 1, 4),
         (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
given = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(code)))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.syscall(machine.seccomp, 1, 0, given) == 0
"""
"""From now on no process of this one may hide from others, which each worker does."""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such filters")
def test_a_sandbox_that_cannot_be_set_up_blames_nobody(tmp_path: Path, processes: None) -> None:
    code, report = audited(tmp_path, FORBIDDEN)
    assert (code, report["verdict"]) == (3, "unverifiable")
    assert "could not start, or could not drop its privileges: PermissionError" in json.dumps(
        report
    )


def test_a_limit_of_memory_from_outside_blames_nobody(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deaths.resource, "getrlimit", lambda kind: (500_000_000, 500_000_000))
    with pytest.raises(WorkerLost, match="RLIMIT_AS of 500 MB"):
        _ = library("raise MemoryError").info
    with pytest.raises(WorkerLost, match="killed by SIGABRT"):
        _ = library("os.abort()").info


def test_an_audit_with_little_address_space_never_fails_a_sound_subject(
    tmp_path: Path, processes: None
) -> None:
    limits = "import resource\nresource.setrlimit(resource.RLIMIT_AS, ({0}, {0}))"
    for megabytes in (250, 350):
        code, report = audited(tmp_path / str(megabytes), limits.format(megabytes * 1_000_000))
        assert code in (0, 3)
        assert report["verdict"] != "fail"


def kill_workers_of(pid: int, after: float) -> None:
    """Kill the processes of an audit's workers at a moment."""
    time.sleep(after)
    for child in children(pid):
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("moment", [0.1, 0.3, 0.5, 0.8])
def test_a_kernel_that_kills_a_worker_at_any_moment_makes_no_sound_subject_fail(
    moment: float, tmp_path: Path, processes: None
) -> None:
    folder, out = Folder.bpe("ab", ["a b"]).write(tmp_path / "subject"), tmp_path / "report.json"
    command = [
        sys.executable,
        "-P",
        "-m",
        "tokaudit",
        "audit",
        str(folder),
        "--tier",
        "quick",
        *CHECKS,
    ]
    audit = subprocess.Popen([*command, "--out", str(out)], stderr=subprocess.PIPE)
    thread = threading.Thread(target=kill_workers_of, args=(audit.pid, moment))
    thread.start()
    audit.communicate()
    thread.join()
    assert audit.returncode in (0, 3)
