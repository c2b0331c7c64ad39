"""The command on top of a page: what repairs, or shows more, with the base that the audit had."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.report.comparison import Comparison, Relation
from tokaudit.report.report import Report
from tokaudit_reports.arranged.next_step import base_option, next_command


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


def test_any_other_comparison_has_none(full: Report) -> None:
    assert next_command(of(Relation.RESEGMENTED, full)) == ("", "")
