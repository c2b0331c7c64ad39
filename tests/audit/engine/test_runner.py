"""The engine turns whatever a check does into a result."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tokaudit.engine.check import Check, check, matches
from tokaudit.engine.outcome.verdict import judge
from tokaudit.engine.resolver import Needs, need
from tokaudit.engine.runner import ask, choose, run
from tokaudit.foundation.errors import (
    NotApplicable,
    NotGiven,
    Skip,
    UnreadableError,
    UpstreamTrouble,
)
from tokaudit.report.model import Basis, Finding, Measurement, Severity, Status, Verdict


def made(function, id: str = "suite/name", **more: object) -> Check:  # type: ignore[no-untyped-def]
    texts = {"title": "t", "why": "w", "remedy": "r"}
    return check(id, severity=Severity.ERROR, basis=Basis.INTRINSIC, **texts, **more)(function)  # type: ignore[arg-type]


def silent() -> Iterator[Finding]:
    return iter(())


def failing() -> Iterator[Finding]:
    yield Finding(Severity.ERROR, "wrong", cause="shown")


def warning() -> Iterator[Finding]:
    yield Finding(Severity.WARNING, "careful", cause="shown")


def raising(error: Exception):  # type: ignore[no-untyped-def]
    def function() -> Iterator[Finding]:
        yield Finding(Severity.INFO, "said before", cause="shown")
        raise error

    return function


@pytest.mark.parametrize(
    ("function", "status"),
    [
        (silent, Status.PASSED),
        (warning, Status.PASSED),
        (failing, Status.FAILED),
        (raising(Skip("no weights")), Status.SKIPPED),
        (raising(UnreadableError("bad header")), Status.SKIPPED),
        (raising(NotApplicable("no merges")), Status.NOT_APPLICABLE),
        (raising(KeyError("x")), Status.CRASHED),
        (raising(UpstreamTrouble("panic")), Status.FAILED),
    ],
)
def test_what_a_check_does_decides_its_status(function, status: Status) -> None:  # type: ignore[no-untyped-def]
    assert ask(made(function), Needs({})).status is status


def test_a_skip_keeps_its_reason_and_what_was_said_before() -> None:
    result = ask(made(raising(Skip("no weights"))), Needs({}))
    assert (result.reason, [f.message for f in result.findings]) == ("no weights", ["said before"])


def test_a_crash_names_the_error_and_the_line() -> None:
    reason = ask(made(raising(KeyError("x"))), Needs({})).reason
    assert reason.startswith("KeyError: 'x' (test_runner.py:")


def test_a_need_is_built_once_for_all_that_ask() -> None:
    built: list[int] = []

    def counting(number: int) -> Iterator[Measurement]:
        yield Measurement("s/n", "n", number, "", 1, "")

    def build() -> int:
        built.append(1)
        return 7

    needs = Needs.of([need(build)])
    results = list(run([made(counting, f"s/{i}") for i in range(4)], needs, jobs=2))
    assert [r.measurements[0].value for r in results] == [7, 7, 7, 7]
    assert built == [1]


def test_a_need_that_is_missing_skips_every_check_that_asks() -> None:
    def missing() -> int:
        raise Skip("nothing here")

    def asks(number: int) -> Iterator[Finding]:
        yield Finding(Severity.ERROR, str(number), cause="shown")

    results = run([made(asks, "s/a"), made(asks, "s/b")], Needs.of([need(missing)]))
    assert {(r.status, r.reason) for r in results} == {(Status.SKIPPED, "nothing here")}


def test_a_suite_name_chooses_the_suite_and_not_its_namesakes() -> None:
    assert matches("vocab/holes", ("vocab",))
    assert not matches("vocabulary/holes", ("vocab",))


def test_ignore_wins_over_select() -> None:
    checks = [made(silent, "a/x"), made(silent, "a/y"), made(silent, "b/z")]
    assert [c.id for c in choose(checks, ("a",), ("a/y",), "default")] == ["a/x"]


def test_slow_checks_need_their_tier_where_nothing_is_selected() -> None:
    checks = [made(silent, "a/x"), made(silent, "b/z", tier="full")]
    assert [c.id for c in choose(checks, (), (), "default")] == ["a/x"]


def test_what_is_selected_by_name_is_asked_in_every_tier() -> None:
    checks = [made(silent, "a/x", tier="full"), made(silent, "a/y", tier="full")]
    assert [c.id for c in choose(checks, ("a/x",), (), "quick")] == ["a/x"]
    assert [c.id for c in choose(checks, ("a",), (), "quick")] == ["a/x", "a/y"]


def test_a_check_that_crashes_leaves_the_verdict_open_though_nobody_required_it() -> None:
    checks = [made(silent, "a/x"), made(raising(ValueError("no")), "b/y")]
    verdict, reason = judge(list(run(checks, Needs({}))), checks, ())
    assert verdict is Verdict.UNVERIFIABLE
    assert reason.startswith("b/y: ValueError: no")


def test_an_error_fails_whatever_else_was_skipped() -> None:
    checks = [made(failing, "a/x"), made(raising(Skip("no")), "b/y", required=True)]
    results = list(run(checks, Needs({})))
    assert judge(results, checks, ())[0] is Verdict.FAIL


def test_a_required_check_that_was_skipped_leaves_the_verdict_open() -> None:
    checks = [made(silent, "a/x"), made(raising(Skip("no")), "b/y", required=True)]
    verdict = judge(list(run(checks, Needs({}))), checks, ())
    assert verdict == (Verdict.UNVERIFIABLE, "no (b/y)")


def test_requiring_a_suite_makes_its_skips_count() -> None:
    checks = [made(silent, "a/x"), made(raising(Skip("no")), "b/y")]
    results = list(run(checks, Needs({})))
    assert judge(results, checks, ())[0] is Verdict.PASS
    assert judge(results, checks, ("b",))[0] is Verdict.UNVERIFIABLE


def test_nothing_decided_is_not_a_pass() -> None:
    checks = [made(raising(NotApplicable("no")), "a/x")]
    assert judge(list(run(checks, Needs({}))), checks, ())[0] is Verdict.UNVERIFIABLE


def test_a_required_suite_needs_no_base_for_the_checks_that_would_compare_with_one() -> None:
    checks = [made(silent, "a/x"), made(raising(NotGiven("no --base")), "a/y")]
    results = list(run(checks, Needs({})))
    assert judge(results, checks, ("a",))[0] is Verdict.PASS
    assert judge(results, checks, ("a/y",))[0] is Verdict.UNVERIFIABLE


def test_a_reason_for_which_several_checks_decide_nothing_is_said_once() -> None:
    checks = [
        made(raising(Skip(why)), id) for id, why in (("b/x", "no"), ("b/y", "none"), ("b/z", "no"))
    ]
    found = judge(list(run(checks, Needs({}))), checks, ("b",))
    assert found == (Verdict.UNVERIFIABLE, "no (b/x, b/z); none (b/y)")


def test_a_required_suite_in_which_every_check_lacks_its_base_leaves_the_verdict_open() -> None:
    checks = [made(silent, "a/x"), made(raising(NotGiven("no --base")), "b/y")]
    assert judge(list(run(checks, Needs({}))), checks, ("b",))[0] is Verdict.UNVERIFIABLE


def test_a_warning_without_a_remedy_gets_the_one_of_its_check() -> None:
    def asks() -> Iterator[Finding]:
        yield Finding(Severity.WARNING, "said", remedy="of the finding", cause="shown")
        yield Finding(Severity.WARNING, "said", cause="shown")
        yield Finding(Severity.INFO, "said", cause="shown")

    check = made(asks)
    findings = ask(check, Needs({})).findings
    assert [f.remedy for f in findings] == ["of the finding", check.remedy, ""]
    assert check.remedy
