"""What workers answer is waited for while other checks compute."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tokaudit.engine.check import Check, check
from tokaudit.engine.resolver import Needs, need, need_from_worker
from tokaudit.engine.runner import run
from tokaudit.foundation.errors import TokauditError
from tokaudit.report.model import Basis, Finding, Severity, Status

PATIENCE = 60  # seconds, after which the two sides have certainly not met


@dataclass(frozen=True)
class Answer:
    """What a worker would give."""


@dataclass(frozen=True)
class Derived:
    """What is computed from an answer."""


@dataclass(frozen=True)
class Egg:
    """Built from a hen."""


@dataclass(frozen=True)
class Hen:
    """Built from an egg."""


@need
def derived(answer: Answer) -> Derived:
    return Derived()


@need
def egg(hen: Hen) -> Egg:
    return Egg()


@need
def hen(egg: Egg) -> Hen:
    return Hen()


def made(id: str, function: Callable[..., Iterator[Finding]], *, alone: bool = False) -> Check:
    wrap = check(
        id,
        title="t",
        why="w",
        remedy="r",
        severity=Severity.ERROR,
        basis=Basis.INTRINSIC,
        alone=alone,
    )
    return wrap(function)


def wants_answer(answer: Answer) -> Iterator[Finding]:
    return iter(())


def test_a_check_that_computes_runs_while_a_worker_is_waited_for() -> None:
    both = threading.Barrier(2, timeout=PATIENCE)

    @need_from_worker
    def answer() -> Answer:
        both.wait()
        return Answer()

    def computes() -> Iterator[Finding]:
        both.wait()
        return iter(())

    checks = [made("a/waits", wants_answer), made("b/computes", computes)]
    results = run(checks, Needs.of([answer]), jobs=1)
    assert {result.status for result in results} == {Status.PASSED}


def test_a_check_that_measures_time_is_asked_when_no_worker_is_waited_for() -> None:
    order: list[str] = []

    @need_from_worker
    def answer() -> Answer:
        order.append("answer")
        return Answer()

    def measures() -> Iterator[Finding]:
        order.append("measured")
        return iter(())

    checks = [made("a/measures", measures, alone=True), made("b/waits", wants_answer)]
    list(run(checks, Needs.of([answer])))
    assert order == ["answer", "measured"]


def test_a_check_that_asks_one_worker_waits_for_no_other() -> None:
    asked = threading.Event()

    @need_from_worker
    def quick() -> Answer:
        return Answer()

    @need_from_worker
    def slow() -> Derived:
        assert asked.wait(PATIENCE)
        return Derived()

    def of_quick(answer: Answer) -> Iterator[Finding]:
        asked.set()
        return iter(())

    def of_slow(derived: Derived) -> Iterator[Finding]:
        return iter(())

    checks = [made("a/slow", of_slow), made("b/quick", of_quick)]
    results = run(checks, Needs.of([quick, slow]), jobs=1)
    assert {result.status for result in results} == {Status.PASSED}


def test_a_check_that_asks_two_workers_comes_after_those_that_ask_one() -> None:
    order: list[str] = []

    @need_from_worker
    def one() -> Answer:
        return Answer()

    @need_from_worker
    def other() -> Derived:
        return Derived()

    def of_both(answer: Answer, derived: Derived) -> Iterator[Finding]:
        order.append("both")
        return iter(())

    def of_one(answer: Answer) -> Iterator[Finding]:
        order.append("one")
        return iter(())

    list(run([made("a/both", of_both), made("b/one", of_one)], Needs.of([one, other])))
    assert order == ["one", "both"]


def test_an_answer_that_nobody_asks_for_is_not_waited_for() -> None:
    @need_from_worker
    def answer() -> Answer:
        raise AssertionError("nobody asks")

    needs = Needs.of([answer, derived])
    assert [result.status for result in run([made("a/b", lambda: iter(()))], needs)] == ["passed"]
    assert needs.from_workers(lambda: iter(())) == set()


def test_what_is_also_wanted_of_a_worker_comes_last_and_only_where_a_check_needs_the_worker() -> (
    None
):
    order: list[str] = []

    @need_from_worker
    def answer() -> Answer:
        order.append("answer")
        return Answer()

    @need_from_worker
    def more(answer: Answer) -> Derived:
        order.append("more")
        return Derived()

    def waits(answer: Answer) -> Iterator[Finding]:
        order.append("check")
        return iter(())

    list(run([made("a/b", waits)], Needs.of([answer, more]), also=[Derived]))
    list(run([made("a/b", lambda: iter(()))], Needs.of([answer, more]), also=[Derived]))
    assert order == ["answer", "check", "more"]


def test_what_is_done_meanwhile_waits_for_the_checks_that_compute_and_for_no_worker() -> None:
    order: list[str] = []
    done = threading.Event()

    @need_from_worker
    def answer() -> Answer:
        assert done.wait(PATIENCE)
        order.append("answer")
        return Answer()

    def computes() -> Iterator[Finding]:
        order.append("computed")
        return iter(())

    def meanwhile() -> None:
        order.append("meanwhile")
        done.set()

    checks = [made("a/waits", wants_answer), made("b/computes", computes)]
    list(run(checks, Needs.of([answer]), meanwhile=meanwhile))
    assert order == ["computed", "meanwhile", "answer"]


def test_what_asks_for_a_worker_through_another_need_asks_for_it() -> None:
    def check_of_derived(derived: Derived) -> Iterator[Finding]:
        return iter(())

    needs = Needs.of([need_from_worker(plain_answer), derived])
    assert needs.from_workers(check_of_derived) == {Answer}


def plain_answer() -> Answer:
    return Answer()


def test_needs_that_ask_for_each_other_crash_the_check_that_asks_and_no_other() -> None:
    def wants_egg(egg: Egg) -> Iterator[Finding]:
        return iter(())

    checks = [made("a/egg", wants_egg), made("b/fine", lambda: iter(()))]
    by_id = {result.check: result for result in run(checks, Needs.of([egg, hen]))}
    assert by_id["a/egg"].status is Status.CRASHED
    assert "Egg -> Hen -> Egg" in by_id["a/egg"].reason
    assert by_id["b/fine"].status is Status.PASSED


def test_two_threads_that_ask_for_one_need_get_the_same_one() -> None:
    built: list[Answer] = []

    @need
    def answer() -> Answer:
        built.append(Answer())
        return built[-1]

    needs, found = Needs.of([answer]), list[Answer]()
    threads = [threading.Thread(target=lambda: found.append(needs.get(Answer))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(built) == 1
    assert all(one is built[0] for one in found)


def test_a_ring_of_needs_is_named_whoever_asks() -> None:
    with pytest.raises(TokauditError, match="Hen -> Egg -> Hen"):
        Needs.of([egg, hen]).get(Hen)
