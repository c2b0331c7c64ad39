"""The command on top of a page: what repairs, or shows more, with the base that the audit had."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.report.comparison import Comparison, Relation
from tokaudit.report.model import Verdict
from tokaudit.report.recorded import PartRecord, SubjectRecord
from tokaudit.report.repair import Change, ChangeKind, Repair
from tokaudit.report.report import Report
from tokaudit_reports.arranged.next_step import base_option, facts, next_command


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
        "See which uses it breaks",
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
    assert found == ("Print the first repair", "tokaudit fix models/v4")


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


def test_the_weights_are_what_was_not_examined_where_there_are_none(quiet: Report) -> None:
    alone = replace(quiet, scope="tokenizer only: no weights here", results=())
    assert dict(facts(alone))["Not examined"] == "the weights: no weights here"
