"""Several reports as one: the worst verdict, every result, and whose each thing is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.products.audit.folding import Member, folded, in_part, part_record
from tokaudit.report.model import CheckResult, Severity, Status, Verdict
from tokaudit.report.recorded import CheckRecord, SubjectRecord, TracedText, Transcript
from tokaudit.report.report import Report

HOLES = CheckRecord("vocab/holes", "No holes", "why.", "remedy.", Severity.WARNING)
ORDER = CheckRecord("merges/order", "In order", "why.", "remedy.", Severity.ERROR)


def report(name: str, verdict: Verdict, reason: str, *checks: CheckRecord) -> Report:
    return Report(
        tool={}, command=(), started="", seconds=1.0, environment={},
        subject=SubjectRecord(name), scope=f"scope of {name}", verdict=verdict,
        verdict_reason=reason, summary={"error": 1, "passed": 2},
        results=tuple(CheckResult(each.id, Status.PASSED) for each in checks), checks=checks,
        transcripts=(Transcript("hello"),), traces=(TracedText("text", ()),),
    )  # fmt: skip


def member(one: Report) -> Member:
    name = one.subject.name
    return Member(name, in_part(one, name), (part_record(name, one),))


@pytest.fixture
def both() -> Report:
    """A passing report and a failing one, folded."""
    sound = report("sound", Verdict.PASS, "no errors", HOLES)
    broken = report("broken", Verdict.FAIL, "errors from merges/order", HOLES, ORDER)
    return folded([member(sound), member(broken)], SubjectRecord("."), "all is well")


def test_the_worst_verdict_decides_and_says_whose_it_is(both: Report) -> None:
    assert both.verdict is Verdict.FAIL
    assert both.verdict_reason == "broken: errors from merges/order"


def test_a_pass_has_the_reason_that_was_given() -> None:
    sound = [report(name, Verdict.PASS, "no errors", HOLES) for name in ("a", "b")]
    found = folded(list(map(member, sound)), SubjectRecord("."), "all is well")
    assert (found.verdict, found.verdict_reason) == (Verdict.PASS, "all is well")


def test_a_reason_that_begins_with_the_name_is_not_named_twice() -> None:
    gone = report("gone", Verdict.UNVERIFIABLE, "gone: does not exist")
    found = folded([member(gone)], SubjectRecord("."), "", "")
    assert found.verdict_reason == "gone: does not exist"


def test_counts_are_added_and_results_know_their_part(both: Report) -> None:
    assert both.summary == {"error": 2, "passed": 4}
    assert [(each.part, each.check) for each in both.results] == [
        ("sound", "vocab/holes"),
        ("broken", "vocab/holes"),
        ("broken", "merges/order"),
    ]


def test_conversations_and_stages_of_every_member_are_kept_with_their_part(both: Report) -> None:
    assert [each.part for each in both.transcripts] == ["sound", "broken"]
    assert [each.part for each in both.traces] == ["sound", "broken"]


def test_a_check_that_several_were_asked_explains_itself_once(both: Report) -> None:
    assert both.checks == (HOLES, ORDER)


def test_a_part_of_a_part_has_both_names() -> None:
    inner = report("x", Verdict.PASS, "", HOLES)
    inner = replace(inner, results=(CheckResult("vocab/holes", Status.PASSED, part="text"),))
    assert [each.part for each in in_part(inner, "model").results] == ["model/text"]
