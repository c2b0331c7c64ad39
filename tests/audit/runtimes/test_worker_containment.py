"""A worker may die, hang, flood or shout: the parent finds the text and goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from processes import starts_processes

from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.request import LoadRequest, encoded
from tokaudit.runtimes.worker import allowance
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.answers import LOADED, encodings
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed, WorkerTokenizer
from tokaudit.runtimes.worker.deaths import WorkerDied
from tokaudit.runtimes.worker.process import WorkerProcess
from tokaudit.runtimes.worker.questions import Encode, Load

pytestmark = pytest.mark.usefixtures("processes", "workers_in_forks")

FAKES = Path(__file__).parent / "fakes"
Open = Callable[..., WorkerTokenizer]


@pytest.fixture
@starts_processes
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens a worker around one of the scripted encoders."""
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    opened: list[WorkerTokenizer] = []

    def open_(name: str, memory: int = 2**31, **limits: Any) -> WorkerTokenizer:
        request = LoadRequest("call", name if ":" in name else f"fake_encoders:{name}")
        opened.append(WorkerTokenizer(request, memory=memory, **limits))
        return opened[-1]

    yield open_
    for tokenizer in opened:
        tokenizer.close()


def _ended(pid: int, within: float = 60.0) -> bool:
    """Whether the process ends in time; one that only waits to be collected has ended."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True).stdout
        if not state.strip() or state.startswith(b"Z"):
            return True
        time.sleep(0.05)
    return False


def _pid(tokenizer: WorkerTokenizer) -> int:
    _ = tokenizer.info
    assert tokenizer._process is not None
    return tokenizer._process._process.pid


@pytest.mark.parametrize(
    ("name", "words"),
    [("panics", "PanicException: range end index 2 out of range"), ("leaves", "SystemExit: 7")],
)
def test_what_is_no_ordinary_exception_is_the_error_of_its_text(
    fake: Open, name: str, words: str
) -> None:
    tokenizer = fake(name)
    pid = _pid(tokenizer)
    found = tokenizer.encode(["a", "bad", "bb"])
    assert [one.ids for one in found] == [(1,), (), (2,)]
    assert (found[1].error, found[1].killed) == (words, False)
    assert _pid(tokenizer) == pid


def test_a_crash_quotes_what_the_library_printed_without_its_advice(fake: Open) -> None:
    found = fake("aborts").encode(["bad"])[0]
    assert found.error == (
        "killed by SIGABRT: thread 'main' panicked at src/lib.rs:1 | no entry found"
    )
    assert found.killed


def test_a_process_that_just_ends_is_told_by_its_exit_code(fake: Open) -> None:
    assert fake("ends").encode(["bad"])[0].error == "ended with exit code 7"


def test_only_the_texts_that_kill_are_accused(fake: Open) -> None:
    texts = [f"text {n}" for n in range(400)]
    for culprit in (3, 200, 201, 399):
        texts[culprit] = f"bad {culprit}"
    found = fake("dies").encode(texts)
    assert [n for n, one in enumerate(found) if one.killed] == [3, 200, 201, 399]
    assert [n for n, one in enumerate(found) if one.error] == [3, 200, 201, 399]
    assert found[398].ids == (8,)


def test_when_too_many_kill_the_rest_is_untried_and_not_accused(fake: Open) -> None:
    found = fake("dies").encode(["bad"] * 30 + ["good"])
    assert found[0].killed
    assert not found[29].killed
    assert found[29].error == found[30].error == "given up after 13 deaths of the worker"
    assert (found[0].given_up, found[29].given_up) == (False, True)


def test_an_encoder_that_is_slower_than_any_in_use_is_given_up_without_a_death(
    fake: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "LEAST_JUDGED", 0.2)
    tokenizer = fake("burns", limits=WorkerLimits(encoder=1.0))
    found = tokenizer.encode(["word"] * 600)
    assert {(one.given_up, one.killed) for one in found} == {(True, False)}
    assert found[0].error == "out of time: call used the 1 s of processor time that an encoder has"


def test_a_hang_that_holds_the_interpreter_is_found(fake: Open) -> None:
    found = fake("hangs", timeout=1.0).encode(["a"] * 100 + ["bad"])
    assert [n for n, one in enumerate(found) if one.killed] == [100]
    assert found[100].error == "no answer within 1 s"


def test_a_batch_that_is_late_although_no_text_is_accuses_none(fake: Open) -> None:
    tokenizer = fake("stays_slow", timeout=2.0)
    found = tokenizer.encode(["a"] * 120)
    assert {one.error for one in found} == {None}
    assert tokenizer._deaths == 1


def test_patience_with_a_library_that_always_hangs_runs_out(fake: Open) -> None:
    tokenizer = fake("always_hangs", timeout=0.2)
    errors = [one.error for one in tokenizer.encode(["a"] * 100)]
    assert errors[:12] == ["no answer within 0.2 s"] * 12
    assert errors[12:] == ["given up after 13 deaths of the worker"] * 88


def test_starting_and_loading_have_a_limit_of_their_own(fake: Open) -> None:
    assert fake("slow_to_load:encode", timeout=0.2).info.adapter == "call"
    with pytest.raises(WorkerCrashed, match=r"load: no answer within 0\.2 s"):
        _ = fake("slow_to_load:encode", start=0.2).info


def test_a_late_answer_is_not_taken_for_the_next_one(fake: Open) -> None:
    tokenizer = fake("code_points", timeout=1.0)
    with pytest.raises(WorkerCrashed, match=r"decode: no answer within 1 s"):
        tokenizer.decode([[-97]])
    assert tokenizer.decode([[98]]) == ["b"]


def test_a_process_that_was_late_is_ended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    process = WorkerProcess()
    load = Load(encoded(LoadRequest("call", "fake_encoders:hangs")))
    process.ask(load, LOADED, 20)
    with pytest.raises(WorkerDied) as died:
        process.ask(Encode(["bad"]), encodings(["bad"]), 0.2)
    assert died.value.late
    assert process._process.returncode == -signal.SIGKILL


def test_ten_megabytes_on_both_streams_neither_block_nor_stay(fake: Open) -> None:
    tokenizer = fake("shouts")
    assert tokenizer.encode(["abc"])[0].ids == (3,)
    assert tokenizer._process is not None
    assert len(tokenizer._process.printed()) <= 65536


def test_memory_is_bounded_before_anything_is_loaded(fake: Open) -> None:
    assert fake("limits", memory=2**30).encode(["RLIMIT_AS"])[0].ids == (2**30,)
    assert fake("limits").encode(["RLIMIT_CORE"])[0].ids == (0,)


def test_proxies_are_not_handed_on_and_one_thread_is_asked_for(
    fake: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.invalid:1")
    names = ["HTTPS_PROXY", "HF_HUB_OFFLINE", "TOKENIZERS_PARALLELISM"]
    assert [one.ids for one in fake("environment").encode(names)] == [(0,), (1,), (1,)]
    assert fake("threads").encode([""])[0].ids == (1,)


def test_a_module_in_the_current_folder_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("tokenizers", "struct", "json", "tokaudit"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    with WorkerTokenizer(LoadRequest("tokenizers", "no such file")) as opened:
        with pytest.raises(UpstreamRefused):
            opened.encode(["a"])
        assert not (tmp_path / "ran").exists()


def test_what_a_library_starts_ends_with_its_worker(fake: Open) -> None:
    tokenizer = fake("leaves_a_child", timeout=1.0)
    (child,) = tokenizer.encode(["a"])[0].ids
    assert tokenizer.encode(["bad"])[0].killed
    assert _ended(child)


def test_closing_ends_the_process_and_a_later_question_starts_another(fake: Open) -> None:
    tokenizer = fake("code_points")
    first = _pid(tokenizer)
    tokenizer.close()
    tokenizer.close()
    assert _ended(first)
    assert tokenizer.encode(["a"])[0].ids == (97,)
    assert _pid(tokenizer) != first


def test_a_tokenizer_that_is_dropped_leaves_no_process(fake: Open) -> None:
    tokenizer = WorkerTokenizer(LoadRequest("call", "fake_encoders:code_points"))
    pid = _pid(tokenizer)
    del tokenizer
    assert _ended(pid)


def test_a_worker_ends_when_its_parent_is_killed() -> None:
    program = (
        "import os, sys\n"
        "from tokaudit.runtimes.request import LoadRequest\n"
        "from tokaudit.runtimes.worker.client import WorkerTokenizer\n"
        "worker = WorkerTokenizer(LoadRequest('call', 'fake_encoders:code_points'))\n"
        "_ = worker.info\n"
        "print(worker._process._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(FAKES)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=environment)
    assert done.returncode == -signal.SIGKILL
    assert _ended(int(done.stdout))


def test_what_is_written_while_a_question_is_at_work_does_not_end_the_worker(fake: Open) -> None:
    # The kernel sends the signal of a written question after it has woken the reader.
    tokenizer = fake("sleeps_a_little")
    _ = tokenizer.info
    assert tokenizer._process is not None
    late = threading.Timer(0.2, os.write, (tokenizer._process._to, b"\0"))
    late.start()
    assert tokenizer.encode(["a"])[0].ids == (1,)
    late.join()


def test_native_code_ends_when_nobody_reads_its_answers() -> None:
    program = (
        "import sys\n"
        "from tokaudit.runtimes.worker.confinement import limits\n"
        "limits.die_with_parent = lambda: None\n"
        "limits.heed_parent(int(sys.argv[1]))\n"
        "limits.end_with_parent(int(sys.argv[1]), True)\n"
        "while True: pass\n"
    )
    reads, writes = os.pipe()
    worker = subprocess.Popen([sys.executable, "-c", program, str(writes)], pass_fds=[writes])
    os.close(writes)
    os.close(reads)
    assert worker.wait(20) in (0, -signal.SIGIO)  # 0 where it was closed before the worker began


def test_a_question_may_cost_so_much_processor_time_and_no_more() -> None:
    program = (
        "from tokaudit.runtimes.worker.confinement import limits\n"
        "limits.end_after(1000, processor=0.1)\n"
        "while True: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=60)
    assert done.returncode == -signal.SIGPROF


def test_the_kernel_ends_a_worker_that_hangs_with_no_parent_left() -> None:
    program = (
        "from tokaudit.runtimes.worker.confinement import limits\n"
        "limits.GRACE = 0.1\n"
        "limits.end_after(0.1)\n"
        "while True: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=20)
    assert done.returncode == -signal.SIGALRM


def test_a_batch_padded_together_fails_together(fake: Open) -> None:
    found = fake("dies").encode(["a", "bad"], EncodeOptions(pad=True))
    assert [one.error for one in found] == ["killed by SIGABRT"] * 2


def test_calls_and_seconds_are_counted(fake: Open) -> None:
    tokenizer = fake("stays_slow")
    tokenizer.encode(["a"] * 5)
    assert (tokenizer.stats.calls, tokenizer.stats.texts) == (2, 5)
    assert tokenizer.stats.upstream_seconds > 5 * 0.02
