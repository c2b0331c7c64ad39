"""An audit whose time is up says what it did not reach, and its report is whole."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine import options
from tokaudit.engine.check import Check, check
from tokaudit.engine.needs import Upstream
from tokaudit.engine.resolver import Needs
from tokaudit.engine.runner import ask
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import OutOfTime
from tokaudit.report.model import Basis, CheckResult, Finding, Severity, Status, Verdict
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_folders.folder import Folder

TINY = {
    "version": "1.0",
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": None,
    "model": Folder.bpe("ab", [["a", "b"]]).tokenizer["model"],
}


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A folder with a tokenizer of three tokens."""
    (tmp_path / "tokenizer.json").write_text(json.dumps(TINY))
    return tmp_path


@pytest.fixture
def time_is_up(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Ends the time of the audit now, so that it does not matter how long the rest took."""
    given: list[Deadline] = []

    def kept(*limits: float) -> Deadline:
        given.append(Deadline(*limits))
        return given[-1]

    def end() -> None:
        for deadline in given:
            deadline._end = 0.0

    monkeypatch.setattr(options, "Deadline", kept)
    return end


def made(function, id: str, *, required: bool = False) -> Check:  # type: ignore[no-untyped-def]
    wrap = check(
        id,
        title="t",
        why="w",
        remedy="r",
        severity=Severity.ERROR,
        basis=Basis.INTRINSIC,
        required=required,
    )
    return wrap(function)


def endless() -> Iterator[Finding]:
    while True:
        pass


def test_a_check_that_computes_too_long_is_cut_by_the_clock_of_the_processor() -> None:
    needs, deadline = Needs({}), Deadline(processor=0.05)
    with deadline.watched():
        result = ask(made(endless, "endless/ly"), replace(needs, deadline=deadline))
    assert (result.status, result.reason) == (Status.SKIPPED, "out of time")


def test_what_other_threads_compute_does_not_count() -> None:
    deadline = Deadline(processor=1000)
    for _ in range(100_000):
        pass
    assert deadline.computed == 0
    with deadline.cuttable():
        sum(range(1_000_000))
    assert 0 < deadline.computed < 1000


def catching() -> Iterator[Finding]:
    """Catches what is raised in it, three times."""
    for _ in range(3):
        try:
            yield from endless()
        except Exception:
            continue
    yield from endless()


def quick() -> Iterator[Finding]:
    return iter(())


def asks_the_library(upstream: Upstream) -> Iterator[Finding]:
    upstream.encode(["a"])
    return iter(())


def ends(result: CheckResult) -> tuple[Status, str]:
    return result.status, result.reason


OUT = (Status.SKIPPED, "out of time")


@pytest.mark.parametrize("function", [endless, catching])
def test_a_check_that_does_not_end_is_cut_off_and_skipped(function) -> None:  # type: ignore[no-untyped-def]
    deadline = Deadline(0.3)
    with deadline.watched():
        result = ask(made(function, "suite/endless"), Needs({}, deadline=deadline))
    assert ends(result) == OUT


def test_what_a_thread_does_after_a_check_was_cut_off_is_not() -> None:
    deadline = Deadline(0.1)
    done = threading.Event()

    def work() -> None:
        with pytest.raises(OutOfTime), deadline.cuttable():
            while True:
                pass
        for _ in range(100_000):
            pass
        done.set()

    with deadline.watched():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert done.is_set()


def test_the_report_of_an_audit_out_of_time_names_every_check(
    tiny: Path, time_is_up: Callable[[], None]
) -> None:
    def endless_when_it_is_up() -> Iterator[Finding]:
        time_is_up()
        yield from endless()

    first = made(endless_when_it_is_up, "suite/endless")
    checks = [first, made(quick, "suite/quick", required=True)]
    report = tokaudit.audit(tiny, checks=checks, timeout=600)
    assert [ends(result) for result in report.results] == [OUT, OUT]
    assert report.verdict is Verdict.UNVERIFIABLE
    assert report.verdict_reason == "out of time (suite/quick)"
    assert "vocab-v1" in {found.name for found in report.identity}


def test_an_error_found_before_the_time_was_up_is_a_failure(
    tiny: Path, time_is_up: Callable[[], None]
) -> None:
    def endless_after_an_error() -> Iterator[Finding]:
        yield Finding(Severity.ERROR, "wrong", cause="shown")
        time_is_up()
        yield from endless()

    checks = [made(endless_after_an_error, "suite/endless", required=True)]
    report = tokaudit.audit(tiny, checks=checks, timeout=600)
    assert report.verdict is Verdict.FAIL
    assert [finding.message for finding in report.errors] == ["wrong"]


def test_a_worker_that_is_asked_too_late_is_nobodys_fault(tiny: Path) -> None:
    check = made(asks_the_library, "suite/asks", required=True)
    report = tokaudit.audit(tiny, checks=[check], timeout=0.001)
    assert [ends(result) for result in report.results] == [OUT]
    assert not report.findings


def test_an_encoder_without_processor_time_left_is_nobodys_fault(
    tiny: Path, processes: None
) -> None:
    request = LoadRequest("tokenizers", str(tiny / "tokenizer.json"))
    used = r"tokenizers used the 0\.001 s of processor time"
    with (
        WorkerTokenizer(request, limits=WorkerLimits(encoder=0.001)) as tokenizer,
        pytest.raises(OutOfTime, match=used),
    ):
        tokenizer.encode(["a"])


def test_a_function_that_is_traced_after_a_check_was_cut_off_ends() -> None:
    """As under a debugger; CPython 3.11 hangs there where an error was taken back."""
    deadline = Deadline(0.1)
    done = threading.Event()

    def work() -> None:
        with pytest.raises(OutOfTime), deadline.cuttable():
            while True:
                pass
        sys.settrace(lambda *_: None)
        sum(map(abs, range(10)))
        ends(CheckResult("suite/check", Status.PASSED))
        sys.settrace(None)
        done.set()

    with deadline.watched():
        threading.Thread(target=work, daemon=True).start()
        assert done.wait(20)


def test_nothing_is_called_off_in_a_thread_that_was_never_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[object] = []
    monkeypatch.setattr(
        "tokaudit.foundation.deadline._raise_in", lambda *given: called.append(given)
    )
    with Deadline(60).cuttable():
        pass
    assert called == []
