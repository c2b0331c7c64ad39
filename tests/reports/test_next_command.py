"""The command on top of a page: what repairs, or shows more, with the base that the audit had."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.report.comparison import Comparison, Relation
from tokaudit.report.model import Verdict
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


def test_the_weights_are_what_was_not_examined_where_there_are_none(quiet: Report) -> None:
    alone = replace(quiet, scope="tokenizer only: no weights here", results=())
    assert dict(facts(alone))["Not examined"] == "the weights: no weights here"
