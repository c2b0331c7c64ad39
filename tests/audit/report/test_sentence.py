"""A report begins with one sentence: what to do, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.report.comparison import Comparison, Facet, Outcome, Purpose, Relation, Suitability
from tokaudit.report.model import (
    CheckResult,
    Finding,
    Severity,
    Status,
    Suppressed,
    SuppressedBy,
    Verdict,
)
from tokaudit.report.recorded import PartRecord, SubjectRecord
from tokaudit.report.report import Report
from tokaudit.report.sentences.not_examined import Unexamined, unexamined

ROWS = Finding(Severity.ERROR, "11 token ids have no embedding row", cause="short")
MORE_ROWS = Finding(Severity.ERROR, "12 token ids have no head row", cause="short")
CRASH = Finding(Severity.ERROR, "The ids above 32,063 crash the model.", cause="range")
LLAMA = Finding(Severity.ERROR, "LlamaTokenizer adds a token", cause="class")
TRAP = Finding(Severity.WARNING, "The pad token is the end-of-text token.", cause="shown")


def failed(*findings: Finding, part: str = "") -> CheckResult:
    return CheckResult("embeddings/rows", Status.FAILED, "", findings, part=part)


def report(
    *results: CheckResult,
    verdict: Verdict = Verdict.FAIL,
    reason: str = "why",
    compared: tuple[Comparison, ...] = (),
    names: tuple[str, ...] = (),
    matrix: tuple[tuple[Relation, ...], ...] = (),
) -> Report:
    return Report(
        tool={},
        command=(),
        started="",
        seconds=0.0,
        environment={},
        subject=SubjectRecord("my-model"),
        scope="tokenizer only",
        verdict=verdict,
        verdict_reason=reason,
        summary={},
        results=results,
        comparison=compared[0] if compared else None,
        further=compared[1:],
        compared=names,
        matrix=matrix,
    )


@pytest.mark.parametrize(
    ("findings", "sentence"),
    [
        ((ROWS,), "Do not ship: 11 token ids have no embedding row."),
        (
            (ROWS, CRASH),
            "Do not ship: 11 token ids have no embedding row; the ids above 32,063 crash the model.",
        ),
        (
            (ROWS, MORE_ROWS, LLAMA, CRASH, TRAP),
            "Do not ship: 11 token ids have no embedding row; LlamaTokenizer adds a token; "
            "and 1 more error below.",
        ),
    ],
)
def test_a_failed_audit_says_what_is_wrong_each_way_once(
    findings: tuple[Finding, ...], sentence: str
) -> None:
    assert report(failed(*findings)).sentence == sentence


def test_the_tokenizer_of_several_is_named() -> None:
    said = report(failed(ROWS, part="b"), failed(CRASH, part="c")).sentence
    assert said == (
        "Do not ship: in the folder b, 11 token ids have no embedding row; in the folder c, the ids above 32,063 crash the model."
    )


def test_a_tokenizer_of_several_is_named_once_where_a_file_in_it_is() -> None:
    config = Finding(Severity.ERROR, "b/config.json has no pad id.", cause="absent")
    other = Finding(Severity.ERROR, "It differs from ab/config.json.", cause="apart")
    said = report(failed(config, part="b"), failed(other, part="c")).sentence
    assert said == (
        "Do not ship: b/config.json has no pad id; in the folder c, it differs from ab/config.json."
    )
    assert report(failed(other, part="b")).sentence == (
        "Do not ship: in the folder b, it differs from ab/config.json."
    )


def test_a_long_message_is_cut() -> None:
    said = report(failed(Finding(Severity.ERROR, "a" * 1000, cause="shown"))).sentence
    assert len(said) < 250 and said.endswith("a….")


def test_a_pass_says_how_much_passed_and_claims_no_more() -> None:
    passed = CheckResult("vocab/holes", Status.PASSED, "", (TRAP,))
    said = report(passed, verdict=Verdict.PASS).sentence
    assert said == "No error was found: 1 check passed; 1 warning."


def test_checks_that_only_measure_are_not_among_those_that_passed() -> None:
    judged = CheckResult("vocab/holes", Status.PASSED)
    measured = CheckResult("fertility/domains", Status.PASSED, only_measured=True)
    both = report(judged, measured, verdict=Verdict.PASS).sentence
    assert both == "No error was found: 1 check passed; 0 warnings."
    alone = report(measured, verdict=Verdict.PASS).sentence
    assert alone == "No error was found: 1 check measured; 0 warnings."


def test_a_pass_counts_what_was_suppressed() -> None:
    held = Suppressed(ROWS, "known", SuppressedBy.CONFIGURATION)
    passed = CheckResult("embeddings/rows", Status.PASSED, suppressed=(held,))
    said = report(passed, verdict=Verdict.PASS).sentence
    assert said == "No error is left: 1 check passed; 0 warnings; 1 suppressed."


def test_what_is_not_decided_says_why() -> None:
    said = report(verdict=Verdict.UNVERIFIABLE, reason="required, but not run: library").sentence
    assert said == "Cannot tell whether to ship: required, but not run: library."


def compared(relation: Relation, different: int = 0, **more: object) -> Comparison:
    return Comparison("models/a", "models/b", 5120, different, relation, **more)  # type: ignore[arg-type]


DIFFERS = Facet("ids", Outcome.DIFFERS, "why")
FOR = Suitability(Purpose.SERVING, "ids are the same", Verdict.FAIL, "ids differ")


@pytest.mark.parametrize(
    ("comparison", "verdict", "sentence"),
    [
        (
            compared(Relation.DIFFERENT, 37, facets=(DIFFERS,)),
            Verdict.FAIL,
            "Not interchangeable: a and b differ in ids; 37 of 5,120 texts get different ids.",
        ),
        (
            compared(Relation.DIFFERENT, 37, suitability=FOR),
            Verdict.FAIL,
            "a and b are not interchangeable for serving: ids differ.",
        ),
        (
            compared(Relation.SAME),
            Verdict.PASS,
            "a and b give the same ids on every text, which is proved.",
        ),
        (
            compared(Relation.UNDIFFERING),
            Verdict.PASS,
            "a and b gave the same ids on all 5,120 texts tried, which is not a proof.",
        ),
    ],
)
def test_a_comparison_says_whether_to_exchange_the_two(
    comparison: Comparison, verdict: Verdict, sentence: str
) -> None:
    said = report(verdict=verdict, reason="for serving: ids differ", compared=(comparison,))
    assert said.sentence == sentence


def test_what_is_undecided_beside_proved_ids_says_that_the_ids_are_the_same() -> None:
    facets = (Facet("ids", Outcome.IDENTICAL, "why"), Facet("settings", Outcome.UNKNOWN, "why"))
    both = compared(Relation.UNKNOWN, facets=facets)
    reason = "nothing is known about settings"
    assert report(verdict=Verdict.UNVERIFIABLE, reason=reason, compared=(both,)).sentence == (
        "a and b give the same ids on every text, which is proved; cannot tell whether they can be "
        "exchanged: nothing is known about settings."
    )


def test_more_than_three_are_counted() -> None:
    found = report(
        verdict=Verdict.PASS, compared=(compared(Relation.SAME),) * 3, names=("a", "b", "c", "d")
    )
    assert found.sentence.startswith("the 4 tokenizers give the same ids")


def of_three(second: Comparison, third: Comparison, between: Relation, verdict: Verdict) -> str:
    """The sentence on a, b and c, of which the last two are `between` to each other."""
    same = Relation.SAME
    matrix = (
        (same, second.relation, third.relation),
        (second.relation, same, between),
        (third.relation, between, same),
    )
    found = report(
        verdict=verdict,
        compared=(replace(second, right="x/b"), replace(third, right="x/c")),
        names=("models/a", "x/b", "x/c"),
        matrix=matrix,
    )
    return found.sentence


def test_of_three_each_pair_is_in_the_sentence() -> None:
    said = of_three(
        compared(Relation.DIFFERENT, 37, facets=(DIFFERS,)),
        compared(Relation.SAME),
        Relation.RESEGMENTED,
        Verdict.FAIL,
    )
    assert said == (
        "Not all of a, b and c are interchangeable: a and b differ in ids (37 of 5,120 texts get different "
        "ids); b and c differ (resegmented); a and c are the same, which is proved."
    )


def test_what_is_not_decided_of_three_is_said_of_each_pair() -> None:
    unknown = Facet("chat template", Outcome.UNKNOWN, "why")
    said = of_three(
        compared(Relation.UNDIFFERING, facets=(unknown,)),
        compared(Relation.SAME),
        Relation.UNKNOWN,
        Verdict.UNVERIFIABLE,
    )
    assert said == (
        "Cannot tell whether all of a, b and c can be exchanged: b and c are not decided; "
        "a and b gave the same ids on everything tried, nothing is known about chat template; "
        "a and c are the same, which is proved."
    )


def test_three_that_were_not_told_apart_are_not_called_the_same() -> None:
    said = of_three(
        compared(Relation.SAME), compared(Relation.UNDIFFERING), Relation.SAME, Verdict.PASS
    )
    assert said.startswith(
        "No two of a, b and c were found to differ: a and c gave the same ids on "
    )


def test_of_many_pairs_that_all_differ_one_is_the_example() -> None:
    same, other = Relation.SAME, Relation.DIFFERENT
    matrix = tuple(tuple(same if a == b else other for b in range(4)) for a in range(4))
    found = report(
        verdict=Verdict.FAIL,
        compared=tuple(replace(compared(other), right=name) for name in "bcd"),
        names=("models/a", "b", "c", "d"),
        matrix=matrix,
    )
    assert found.sentence == (
        "No two of the 4 tokenizers are interchangeable; for example, a and b differ (different)."
    )


def test_of_several_each_has_its_own_verdict_for_a_purpose() -> None:
    holds = Suitability(Purpose.SERVING, "ids are the same", Verdict.PASS, "it is proved")
    found = report(
        verdict=Verdict.FAIL,
        compared=(
            replace(compared(Relation.DIFFERENT), right="b", suitability=FOR),
            replace(compared(Relation.SAME), right="c", suitability=holds),
        ),
        names=("models/a", "b", "c"),
    )
    assert found.sentence == (
        "Do not let all of b and c take the place of a for serving: b cannot (ids differ); "
        "c can (it is proved)."
    )


def test_what_was_not_examined_is_put_together_by_reason() -> None:
    base = "no --base"
    found = report(
        CheckResult("baseline/vocab", Status.SKIPPED, base, part="b"),
        CheckResult("baseline/merges", Status.SKIPPED, base, part="b"),
        CheckResult("baseline/merges", Status.SKIPPED, base, part="c"),
        CheckResult("baseline/scores", Status.SKIPPED, base, part="b"),
        CheckResult("baseline/scores", Status.SKIPPED, base, part="c"),
        CheckResult("extra/broken", Status.CRASHED, "KeyError"),
        CheckResult("vocab/holes", Status.PASSED),
    )
    assert unexamined(found) == [
        Unexamined("KeyError", ("extra/broken",), crashed=True),
        Unexamined(base, ("baseline/merges", "baseline/scores"), tokenizers="b, c"),
        Unexamined(base, ("baseline/vocab",), tokenizers="b"),
    ]


def test_how_many_of_several_fail_is_said_first() -> None:
    parts = [PartRecord(name, Verdict.FAIL, "why", "", {}) for name in "ab"]
    found = report(failed(ROWS, part="a"), failed(ROWS, part="b"))
    several = replace(found, parts=(*parts, PartRecord("c", Verdict.PASS, "", "", {})))
    assert several.sentence == (
        "Do not ship 2 of 3 tokenizers. In the folder a, 11 token ids have no embedding row; "
        "in the folder b, 11 token ids have no embedding row."
    )


def test_of_many_tokenizers_that_nobody_examined_the_number_is_said() -> None:
    names = ("a", "b", "c", "d")
    left = [
        CheckResult("baseline/vocab", Status.SKIPPED, "no --base", part=name, not_given=True)
        for name in names
    ]
    found = replace(
        report(*left), parts=tuple(PartRecord(n, Verdict.PASS, "", "", {}) for n in names)
    )
    assert [each.words for each in unexamined(found)] == [
        "changes from a base, in all 4 tokenizers (add --base FOLDER)"
    ]


CRASHED = CheckResult("vocab/holes", Status.CRASHED, "KeyError: 5 (holes.py:7)")


def test_a_crash_is_said_before_that_nothing_is_decided() -> None:
    about = report(CRASHED, verdict=Verdict.UNVERIFIABLE, reason="vocab/holes: KeyError: 5")
    assert about.sentence == (
        "A check crashed, so their questions are open: vocab/holes. "
        "Cannot tell whether to ship: vocab/holes: KeyError: 5."
    )


def test_a_crash_is_said_before_an_error_and_over_an_old_report_that_passed() -> None:
    failing = report(CRASHED, failed(ROWS)).sentence
    assert failing.startswith("A check crashed, so their questions are open: vocab/")
    assert failing.endswith(". Do not ship: 11 token ids have no embedding row.")
    passing = report(CRASHED, verdict=Verdict.PASS).sentence
    assert passing.startswith("A check crashed")


def test_of_many_crashes_the_first_are_named() -> None:
    crashes = [CheckResult(f"a/{name}", Status.CRASHED, "KeyError") for name in "wxyz"]
    assert report(*crashes).sentence.startswith(
        "4 checks crashed, so their questions are open: a/w, a/x and 2 more. "
    )
