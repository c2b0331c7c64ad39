"""A comparison is one table of facets, with short names, and a card for each separate text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.report.comparison import Comparison, Cost, Facet, Outcome, Rate, Relation, SideBySide
from tokaudit.report.model import Evidence, Place, TokenView
from tokaudit.report.recorded import TracedBySides, TracedPart, TracedPiece
from tokaudit.report.report import Report
from tokaudit_reports import html, markdown, terminal
from tokaudit_reports.arranged.comparison import (
    facet_matrix,
    relation_signs,
    views,
    with_short_names,
)

LEFT, RIGHT, THIRD = "/home/me/models/left", "/home/me/models/right", "/home/me/models/third"


def rows(text: str) -> Evidence:
    ours, theirs = (TokenView(1, text),), (TokenView(2, "x"),)
    return Evidence("text", text, None, ours, theirs, LEFT, RIGHT, 0)


def traced(text: str, ours: str, theirs: str) -> TracedBySides:
    """A text that both sides cut into other pieces where `ours` is not `theirs`."""

    def part(piece: str) -> tuple[TracedPart, ...]:
        views = (TokenView(1, piece),)
        return (TracedPart(text, None, text, (TracedPiece(piece, (), views),)),)

    return TracedBySides(text, part(ours), part(theirs))


MERGES = Facet("merges", Outcome.DIFFERS, "one merge more", (), (rows("ab"),))
PIECES = Facet("pre-tokenizer", Outcome.DIFFERS, "other pattern", (), (rows("a b"),))
PROVED = Facet("ids", Outcome.IDENTICAL, "3 entries at the same ids")
STATED = Facet(
    "settings files",
    Outcome.UNKNOWN,
    f"tokenizer_config.json is only in {RIGHT}",
    (Place("settings files", f"{RIGHT}/tokenizer_config.json", outside=True),),
)
COMPARED = Comparison(
    LEFT,
    RIGHT,
    10,
    2,
    Relation.DIFFERENT,
    left_file="tokenizer.json",
    right_file="tokenizer.json",
    facets=(PROVED, STATED, MERGES, PIECES),
)


@pytest.fixture
def compared(full: Report) -> Report:
    """Two tokenizers that differ in two facets, of which one text shows each."""
    return replace(full, results=(), comparison=COMPARED, compared=(LEFT, RIGHT))


@pytest.fixture
def three(compared: Report) -> Report:
    """A third one that is the same as the first."""
    same = replace(COMPARED, right=THIRD, relation=Relation.SAME, facets=(PROVED,), different=0)
    return replace(
        compared,
        compared=(LEFT, RIGHT, THIRD),
        further=(same,),
        matrix=(
            (Relation.SAME, Relation.DIFFERENT, Relation.SAME),
            (Relation.DIFFERENT, Relation.SAME, Relation.UNKNOWN),
            (Relation.SAME, Relation.UNKNOWN, Relation.SAME),
        ),
    )


def test_what_differs_comes_first_and_what_is_the_same_is_folded(compared: Report) -> None:
    (view,) = views(compared)
    assert [(row.facet.name, row.text) for row in view.rows] == [
        ("merges", "ab"),
        ("pre-tokenizer", "a b"),
        ("settings files", None),
    ]
    assert view.same == ((Outcome.IDENTICAL, (PROVED,)),)


def test_every_place_has_the_short_name_and_the_folders_are_said_once(compared: Report) -> None:
    (view,) = views(compared)
    assert view.sides == (("left", f"{LEFT}/tokenizer.json"), ("right", f"{RIGHT}/tokenizer.json"))
    settings = view.rows[-1].facet
    assert settings.why == "tokenizer_config.json is only in right"
    assert settings.places[0].file == "right/tokenizer_config.json"
    assert view.cards[0].evidence[0].actual_label == "right"
    for text in (terminal.write(compared), markdown.write(compared)):
        assert text.count(f"{RIGHT}/") == 1


def test_a_facet_whose_text_another_one_explains_has_no_text_and_no_card(compared: Report) -> None:
    traces = (traced("ab", "ab", "a"), traced("a b", "a", "a b"))
    report = replace(compared, comparison=replace(COMPARED, traces=traces))
    (view,) = views(report)
    merges = view.rows[0]
    assert (merges.text, merges.explained_by) == (None, "pre-tokenizer")
    assert merges.said == ("one merge more; the text found for it differs by pre-tokenizer first")
    assert [facet.name for facet in view.cards] == ["pre-tokenizer"]


def test_more_than_two_are_a_matrix_of_signs(three: Report) -> None:
    assert list(relation_signs(three)) == [
        ("1 left", ("·", "✕", "✓")),
        ("2 right", ("✕", "·", "?")),
        ("3 third", ("✓", "?", "·")),
    ]
    found = facet_matrix(three)
    assert found is not None
    assert found.rows == (
        ("settings files", (Outcome.UNKNOWN, None)),
        ("merges", (Outcome.DIFFERS, None)),
        ("pre-tokenizer", (Outcome.DIFFERS, None)),
    )
    assert found.same == ("ids",)
    assert "  2 right   ✕   ·   ?\n" in terminal.write(three)
    assert "| 2 right | ✕ | · | ? |" in markdown.write(three)


def test_other_formats_keep_the_names_that_the_user_gave(compared: Report) -> None:
    assert compared.comparison is not None
    assert compared.comparison.left == LEFT
    shortened = with_short_names(compared).comparison
    assert shortened is not None and (shortened.left, shortened.right) == ("left", "right")


def test_a_chart_that_says_1_everywhere_is_a_sentence(compared: Report) -> None:
    even = Cost("eng", "English", 5, Rate(1.2), Rate(1.2), Rate(1.001))
    for costs, drawn in (((even,), False), ((even, replace(even, ratio=Rate(1.2))), True)):
        shown = replace(COMPARED, side_by_side=SideBySide("the reference", costs))
        page = html.write(replace(compared, comparison=shown))
        assert ("Both take as many tokens in every language (1 compared)." in page) is not drawn
        assert ("Tokens in right for each in left, by language" in page) is drawn


def test_of_more_than_two_each_folder_is_said_once_and_groups_of_one_are_left_out(
    three: Report,
) -> None:
    report = replace(three, groups=((LEFT, THIRD), (RIGHT,)))
    for text in (terminal.write(report), markdown.write(report), html.write(report)):
        assert text.count(f"{THIRD}/tokenizer.json") == 1
    shown = terminal.write(report)
    assert "Groups that are the same\n  left, third\n" in shown
    assert "  right\n" not in shown
