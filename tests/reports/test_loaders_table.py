"""The table of loaders: who ran, who was emulated, and on how many texts the ids agree."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.report.model import Verdict
from tokaudit.report.recorded import LoaderRecord, LoaderState
from tokaudit.report.report import Report
from tokaudit_reports import html, terminal
from tokaudit_reports.arranged.loaders import loader_rows, loaders_sentence
from tokaudit_reports.arranged.top_facts import facts

AGREES = LoaderRecord("lib 1.2", "run", LoaderState.AGREES, 4776, 0, "the reference")
DIFFERS = LoaderRecord("lib 1.2", "run", LoaderState.DIFFERS, 4776, 8, "the reference")
REFUSES = LoaderRecord("old 4", "emulated", LoaderState.REFUSES, says="KeyError: 'a'")
LOADS = LoaderRecord("new 5", "emulated", LoaderState.LOADS, says="as Fast")


def test_a_row_says_on_how_many_texts_a_loader_agrees(full: Report) -> None:
    rows = loader_rows(replace(full, loaders=(AGREES, DIFFERS, REFUSES, LOADS)))
    assert [(each.known_by, each.result, each.says) for each in rows] == [
        ("run", "same ids as the reference on all 4,776 texts", ""),
        ("run", "ids differ from the reference on 8 of 4,776 texts", ""),
        ("emulated", "refuses it:", "KeyError: 'a'"),
        ("emulated", "loads it", "as Fast"),
    ]


def test_the_sentence_begins_with_who_refuses(full: Report) -> None:
    said = loaders_sentence(replace(full, loaders=(AGREES, REFUSES, LOADS)))
    assert said == "old 4 refuses it; lib 1.2 and the reference agree on all 4,776 texts"


def test_the_sentence_says_who_differs(full: Report) -> None:
    said = loaders_sentence(replace(full, loaders=(DIFFERS, LOADS)))
    assert said == "lib 1.2: ids differ from the reference on 8 of 4,776 texts"


def test_a_pass_on_a_terminal_says_which_loaders_took_it(full: Report) -> None:
    passed = replace(full, verdict=Verdict.PASS, results=(), loaders=(AGREES, LOADS))
    shown = terminal.write(passed, width=200)
    assert "loaders: lib 1.2 and the reference agree on all 4,776 texts; new 5 loads it" in shown
    failed = replace(passed, verdict=Verdict.FAIL)
    assert "loaders: " not in terminal.write(failed)


def test_the_page_has_the_table_only_where_loaders_are_known(full: Report) -> None:
    assert 'id="loaders"' not in html.write(full)
    page = html.write(replace(full, loaders=(REFUSES,)))
    assert "KeyError" in page
    assert page.count('id="loaders"') == 1


def test_the_top_of_an_audit_has_three_facts_the_loaders_in_the_middle(full: Report) -> None:
    report = replace(full, loaders=(AGREES,), subject=replace(full.subject, commit="0f3a"))
    found = dict(facts(report))
    assert list(found) == ["Subject", "Loaders", "Not examined"]
    assert found["Subject"].endswith(", commit 0f3a)")


def test_the_top_of_a_comparison_names_both_sides_and_what_nobody_knows(full: Report) -> None:
    facets = (Facet("ids", Outcome.IDENTICAL, ""), Facet("decoder", Outcome.UNKNOWN, "no time"))
    compared = Comparison(
        "a", "b", 9, 0, Relation.UNKNOWN, run_by=("the reference",), facets=facets
    )
    report = replace(full, results=(), comparison=compared, compared=("a", "b"))
    assert dict(facts(report)) == {
        "Compared": "a and b",
        "Loaders": "run by the reference on 9 texts",
        "Not examined": "decoder",
    }
