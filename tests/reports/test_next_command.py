"""The command on top of a page: what repairs, or shows more, with the base that the audit had."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.report.model import About, CheckResult, Finding, Severity, Status, Verdict
from tokaudit.report.recorded import PartRecord, SubjectRecord
from tokaudit.report.repair import Change, ChangeKind, Decider, Repair
from tokaudit.report.report import Report
from tokaudit_reports.arranged.next_step import base_option, next_command
from tokaudit_reports.arranged.status_words import status_words
from tokaudit_reports.arranged.subjects import subject_rows
from tokaudit_reports.arranged.top_facts import facts


def test_the_base_of_the_command_is_named_again(full: Report) -> None:
    for words in (("--base", "old one"), ("--base=old one",)):
        report = replace(full, command=("tokaudit", "audit", "models/new", *words))
        assert base_option(report) == " --base 'old one'"


def test_no_base_is_named_where_there_was_none(full: Report) -> None:
    report = replace(full, command=("tokaudit", "audit", "models/new"), others=(), results=())
    assert base_option(report) == ""


def of(relation: Relation, report: Report) -> Report:
    compared = Comparison("old one", "new", 1, 1, relation)
    return replace(report, results=(), comparison=compared, compared=("old one", "new"))


def test_a_comparison_of_other_ids_has_the_command_that_writes_the_map(full: Report) -> None:
    assert next_command(of(Relation.REMAPPED, full)) == (
        "Write the map of ids",
        "tokaudit compare 'old one' new --write-map map.json",
    )


def test_any_other_difference_has_the_command_that_names_who_would_break(full: Report) -> None:
    assert next_command(of(Relation.RESEGMENTED, full)) == (
        "Check whether one use, such as serving, is still safe",
        "tokaudit compare 'old one' new --for serving",
    )


def test_tokenizers_that_are_the_same_have_no_command(full: Report) -> None:
    assert next_command(of(Relation.SAME, full)) == ("", "")


def test_what_is_undecided_is_run_again_as_it_was(quiet: Report) -> None:
    words = ("/usr/bin/tokaudit", "audit", "my model", "--require", "embeddings")
    report = replace(quiet, verdict=Verdict.UNVERIFIABLE, command=words)
    assert next_command(report) == (
        "Add what is missing, then run",
        "tokaudit audit 'my model' --require embeddings",
    )


def test_a_package_that_is_missing_is_installed_first(quiet: Report) -> None:
    why = "xllamacpp is not installed, so llama.cpp cannot run gguf files"
    report = replace(quiet, verdict=Verdict.UNVERIFIABLE, verdict_reason=why)
    assert next_command(report)[0] == "Install it, then run"


def test_a_program_that_called_a_function_is_not_run_again(quiet: Report) -> None:
    report = replace(quiet, verdict=Verdict.UNVERIFIABLE, command=("release.py", "models"))
    assert next_command(report) == ("", "")


def test_the_first_repair_of_several_is_of_a_folder_below_the_subject(full: Report) -> None:
    change = Change(ChangeKind.SET, "config.json", "/eos_token_id", 3, 4)
    finding = replace(full.errors[0], repair=Repair((change,)))
    failed = replace(full.results[0], findings=(finding,), part="models/v4")
    part = PartRecord("models/v4", Verdict.FAIL, "why", "", {})
    here = replace(full, subject=SubjectRecord("."), results=(failed,), parts=(part,))
    found = next_command(replace(here, comparison=None, compared=()))
    assert found == (
        "Show the patch for the folder 'models/v4'; nothing is written yet",
        "tokaudit fix models/v4",
    )


def test_ids_that_are_wrong_are_checked_again_as_they_were(full: Report) -> None:
    wrong = replace(
        full.results[0], check="data/own-encoding", findings=full.results[0].findings[:1]
    )
    words = ("tokaudit", "data", "ids", "--tokenizer", "new")
    found = next_command(replace(full, results=(wrong,), comparison=None, command=words))
    assert found == (
        "Check the ids again when they are rewritten",
        "tokaudit data ids --tokenizer new",
    )


def test_weights_that_are_required_and_absent_are_to_be_added(quiet: Report) -> None:
    why = "the embeddings checks that --require asks for could not run, because no weight files were found"
    words = ("tokaudit", "audit", "my-model", "--require", "embeddings")
    open_ = replace(quiet, verdict=Verdict.UNVERIFIABLE, verdict_reason=why, command=words)
    assert next_command(open_)[0] == "Add the weight files, such as model.safetensors, then run"


def test_a_warning_that_only_a_base_settles_has_the_audit_with_a_base(quiet: Report) -> None:
    asks = Repair(decided_by=Decider.BASE, reason="only the base has the ids")
    hole = Finding(Severity.WARNING, "a hole", cause="inner", check="vocab/holes", repair=asks)
    passed = CheckResult("vocab/holes", Status.PASSED, findings=(hole,))
    assert next_command(replace(quiet, results=(passed,))) == (
        "Compare with the base model: write its folder in place of FOLDER",
        "tokaudit audit plain --base FOLDER",
    )


def test_the_patch_says_how_many_of_the_errors_it_repairs(full: Report) -> None:
    change = Change(ChangeKind.SET, "config.json", "/eos_token_id", 3, 4)
    found = Finding(Severity.ERROR, "eos", cause="a", check="a/b", repair=Repair((change,)))
    asked = Finding(Severity.ERROR, "rows", cause="b", check="c/d")
    results = tuple(
        CheckResult(each.check, Status.FAILED, findings=(each,)) for each in (found, asked)
    )
    said, _ = next_command(replace(full, results=results, comparison=None, command=()))
    assert said == "Show the patch for 1 of 2 errors; nothing is written yet"


def test_data_that_passes_has_the_audit_of_its_tokenizer(quiet: Report) -> None:
    ids = replace(quiet, results=(CheckResult("data/ids", Status.PASSED),))
    assert next_command(ids) == ("Audit the tokenizer too", "tokaudit audit plain")
    said = dict(facts(ids))
    assert said["Data"].startswith("ids on disk, read with plain")
    assert said["Not examined"] == "the tokenizer, by its own checks"
    assert "Checks" in said


def test_failed_checks_say_from_how_many_errors_they_are(full: Report) -> None:
    error = Finding(Severity.ERROR, "a hole", cause="a", about=About(ids=(7, 8, 9)))
    below = Finding(Severity.ERROR, "no row", cause="b", about=About(ids=(7, 8, 9)))
    results = (
        CheckResult("vocab/holes", Status.FAILED, findings=(error,)),
        CheckResult("embeddings/rows", Status.FAILED, findings=(below,)),
    )
    counts = {"passed": 40, "failed": 2, "error": 2}
    found = replace(full, results=results, summary=counts, comparison=None)
    assert status_words(found) == ["40 passed", "2 failed (from 1 error)"]


def test_a_facet_that_some_pairs_leave_open_is_said_to_be_open_in_some(full: Report) -> None:
    open_ = [Facet(name, Outcome.UNKNOWN, "why") for name in ("special roles", "merges")]
    pairs = [
        Comparison("a", name, texts, 0, Relation.DIFFERENT, facets=tuple(open_[:n]))
        for name, texts, n in (("b", 100, 2), ("c", 9, 1))
    ]
    found = replace(
        full, results=(), comparison=pairs[0], further=(pairs[1],), compared=("a", "b", "c")
    )
    assert dict(facts(found))["Not examined"] == "special roles; in some pairs: merges"


def test_a_row_of_several_names_the_base_that_it_was_not_compared_with(quiet: Report) -> None:
    base = CheckResult("baseline/vocab", Status.SKIPPED, "no --base", not_given=True, part="a")
    trap = Finding(Severity.WARNING, "a trap", cause="t")
    passed = CheckResult("vocab/holes", Status.PASSED, findings=(trap,), part="a")
    part = PartRecord("a", Verdict.PASS, "no errors", "tokenizer only: no weight files", {})
    (row,) = subject_rows(replace(quiet, results=(base, passed), parts=(part,)))
    assert (row.found, row.not_examined) == ("no error, 1 warning: a trap", "weights, base")


def test_the_weights_are_what_was_not_examined_where_there_are_none(quiet: Report) -> None:
    alone = replace(quiet, scope="tokenizer only: no weight files were found", results=())
    assert dict(facts(alone))["Not examined"] == "the weights (no weight files were found)"
