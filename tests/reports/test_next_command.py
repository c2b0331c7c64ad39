"""The command on top of a page: what repairs, or shows more, with the base that the audit had."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.report.report import Report
from tokaudit_reports.arranged.next_step import base_option


def test_the_base_of_the_command_is_named_again(full: Report) -> None:
    for words in (("--base", "old one"), ("--base=old one",)):
        report = replace(full, command=("tokaudit", "audit", "models/new", *words))
        assert base_option(report) == " --base 'old one'"


def test_no_base_is_named_where_there_was_none(full: Report) -> None:
    report = replace(full, command=("tokaudit", "audit", "models/new"), others=(), results=())
    assert base_option(report) == ""
