"""The page of symptoms: each command shows what the page says on the first card of its report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from audits_in_a_row import audit_in_a_row
from headless import needs_chromium

from site_in_browser import SITE, opened, unfound
from tokaudit.cli import COMMANDS, _parser_of
from tokaudit.engine.check import all_checks
from tokaudit.engine.examples import BAD, example
from tokaudit.products.demo.checkpoints import write_checkpoints
from tokaudit.products.demo.showing import write_ids
from tokaudit.report.report import Report
from tokaudit_faults.folders.checkpoint import AGAINST_BASE, ALONE
from tokaudit_folders import sick
from tokaudit_folders.example_folders import written
from tokaudit_pages.symptoms import Symptom, symptoms

pytestmark = pytest.mark.usefixtures("workers_in_forks", "processes")

CHECKS = {check.id: check for check in all_checks()}
WORD = re.compile(r"\w+")


def report_of(symptom: Symptom, place: Path) -> Report:
    """The report of the symptom's command on a folder with its fault."""
    if symptom.command:
        return report_of_ids(symptom, place)
    if not symptom.folder:
        (place / "example").mkdir()
        files = written(example(CHECKS[symptom.check], BAD), place / "example")
        use = symptom.options.partition("--use ")[2] or None
        return audit_in_a_row(**files, select=[symptom.check], use=use)
    folder, base = sick.healthy(place / "model"), None
    if symptom.options:
        base = sick.healthy(place / "base")
        sick.only_tokenizer_json(folder)
        sick.only_tokenizer_json(base)
    {**ALONE, **AGAINST_BASE}[symptom.folder].change(folder)
    return audit_in_a_row(folder, base=base and str(base), select=[symptom.check])


def report_of_ids(symptom: Symptom, place: Path) -> Report:
    """Ids of one of the demo's tokenizers, judged with that which lacks a merge."""
    write_checkpoints(place)
    write_ids(place / "ids", place / "checkpoint")
    ids = (str(place / "ids"),)
    return audit_in_a_row(place / "finetuned", data=ids, select=[symptom.check])


@pytest.mark.parametrize("symptom", symptoms(), ids=lambda symptom: symptom.says)
def test_the_command_shows_what_the_page_says_on_the_first_card(
    symptom: Symptom, tmp_path: Path
) -> None:
    first = report_of(symptom, tmp_path).causes[0].finding
    assert first.check == symptom.check
    assert symptom.shows
    assert symptom.shows in first.message


def test_the_commands_report_no_symptom_of_a_healthy_folder(tmp_path: Path) -> None:
    select = [each.check for each in symptoms() if each.folder and not each.options]
    report = audit_in_a_row(sick.healthy(tmp_path / "model"), select=select)
    assert (report.errors, report.warnings) == ((), ())


def test_there_are_thirty_one_symptoms_whose_commands_parse() -> None:
    lines = [symptom.line.split()[1:] for symptom in symptoms()]
    assert len({symptom.says for symptom in symptoms()}) == len(lines) == 31
    for name, *arguments in lines:
        assert name in COMMANDS
        assert _parser_of(name).parse_args(arguments)


def test_no_two_symptoms_have_the_same_words() -> None:
    words = [frozenset(WORD.findall(symptom.says.lower())) for symptom in symptoms()]
    assert [one for one in words if sum(one <= other for other in words) > 1] == []


@needs_chromium
def test_the_search_of_the_site_finds_a_symptom_among_the_first_three() -> None:
    if not (SITE / "search").is_dir():
        pytest.skip("the site is not built here: make site")
    with opened(SITE) as (browser, address):
        typed = [each.says for each in symptoms()][::6]
        assert unfound(browser, address, [*typed, "No symptom"]) == ["No symptom"]
