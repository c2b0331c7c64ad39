"""A worker that tests take from a fork is contained, answers and ends as one that was started."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from processes import starts_processes
from worker_door import WorkerDoor, added_folders

from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker import process
from tokaudit.runtimes.worker.answers import VOCABULARY
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.runtimes.worker.deaths import WorkerDied
from tokaudit.runtimes.worker.questions import Vocab

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="the rest is Linux's"),
]
STATES = ("NoNewPrivs", "Seccomp", "CapEff", "CapPrm", "CapBnd", "SigIgn", "Uid", "Groups")
Opened = Callable[..., WorkerTokenizer]
SEES = """
import os, sys

def sees(text):
    environment = {name: os.environ[name] for name in os.environ if "TOKAUDIT" not in name}
    streams = [sys.stdin.read(), os.fstat(1).st_mode, os.fstat(2).st_mode]
    return list(repr([os.getcwd(), sys.path, sys.flags, environment, streams]).encode())
"""


@pytest.fixture
@starts_processes
def opened(small: Path) -> Iterator[Opened]:
    """Opens a worker that has loaded a small tokenizer, forked or started."""
    with contextlib.ExitStack() as held:
        door = held.enter_context(contextlib.closing(WorkerDoor()))

        def one(forked: bool, called: str = "") -> WorkerTokenizer:
            request = LoadRequest("tokenizers", str(small / "tokenizer.json"))
            request = LoadRequest("call", called) if called else request
            worker = held.enter_context(WorkerTokenizer(request))
            start = door.started if forked else process.started
            with patch.object(process, "started", start):
                assert worker.info.adapter == request.adapter
            assert door.forked == forked
            return worker

        yield one


def pid_of(worker: WorkerTokenizer) -> int:
    assert worker._process is not None
    return worker._process._process.pid


def contained(pid: int) -> dict[str, object]:
    """What the kernel says of a process: what it gave up, its limits, and what it has open."""
    folder = Path(f"/proc/{pid}")
    status = dict(line.split(":\t", 1) for line in (folder / "status").read_text().splitlines())
    opened = sorted(str(each.readlink()).partition(":")[0] for each in (folder / "fd").iterdir())
    return {
        **{name: status[name].strip() for name in STATES},
        "limits": (folder / "limits").read_text(),
        "open": opened,
        "leads": (os.getsid(pid), os.getpgid(pid)) == (pid, pid),
        "folder": (folder / "cwd").readlink().name.partition("-")[0],
    }


def test_the_kernel_says_the_same_of_both(opened: Opened) -> None:
    started, forked = (contained(pid_of(opened(way))) for way in (False, True))
    assert forked == started
    assert (forked["Seccomp"], forked["NoNewPrivs"], forked["leads"]) == ("2", "1", True)


def test_both_give_the_same_ids_and_the_same_vocabulary(opened: Opened) -> None:
    started, forked = (opened(way) for way in (False, True))
    texts = ["ab", "aab", "", "x"]
    assert forked.encode(texts) == started.encode(texts)
    assert forked.vocab() == started.vocab() != {}
    assert (forked.info, forked.capabilities) == (started.info, started.capabilities)


def test_what_the_user_names_sees_the_same_in_both(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "seeing.py").write_text(SEES)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    started, forked = (opened(way, "seeing:sees").encode(["a"])[0].ids for way in (False, True))
    assert bytes(forked) == bytes(started) != b""
    assert str(tmp_path).encode() in bytes(forked)


@pytest.mark.parametrize("module", ["json", "tokenizers", "tokaudit", "sitecustomize"])
def test_where_a_module_would_go_before_what_is_there_no_worker_is_forked(
    module: str, tmp_path: Path, processes: None
) -> None:
    (tmp_path / f"{module}.py").write_text("")
    assert added_folders({}, {"PYTHONPATH": str(tmp_path)}) is None


def test_only_folders_may_be_added_to_what_python_reads_as_it_starts(
    tmp_path: Path, processes: None
) -> None:
    with_folder = {"PYTHONPATH": str(tmp_path)}
    assert added_folders({}, {}) == added_folders(with_folder, with_folder) == []
    assert added_folders({}, with_folder) == [str(tmp_path)]
    assert added_folders(with_folder, {}) is None
    assert added_folders({}, {**with_folder, "LD_PRELOAD": "x.so"}) is None


@pytest.mark.parametrize("name", ["SIGKILL", "SIGSEGV", "SIGTERM"])
def test_a_death_is_told_in_the_same_words(name: str, opened: Opened) -> None:
    said = []
    for way in (False, True):
        worker = opened(way)
        os.kill(pid_of(worker), getattr(signal, name))
        assert worker._process is not None
        with pytest.raises(WorkerDied) as died:
            worker._process.ask(Vocab(), VOCABULARY, 20)
        said.append((str(died.value), died.value.signal))
    assert said[1] == said[0]
    assert name in said[0][0]


def test_a_worker_that_is_closed_has_ended_and_its_folder_is_gone(opened: Opened) -> None:
    worker = opened(True)
    pid, folder = pid_of(worker), Path(f"/proc/{pid_of(worker)}/cwd").readlink()
    assert folder.is_dir()
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not folder.exists()
