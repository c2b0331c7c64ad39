"""A remedy names the files of the subject, and on pages none."""

from __future__ import annotations

import pytest

from tokaudit.engine.check import all_checks
from tokaudit.engine.remedies import NAME, named, plain
from tokaudit.report.model import Finding, Place, Severity

FORM = "Take {pointer|the key} of {file|this file} from {other|the base}."
NOTHING = Finding(Severity.ERROR, "m", cause="shown")
MINE, BASE = Place("m", "a.json", "/merges"), Place("m", "base/a.json")


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ((MINE, BASE), "Take /merges of a.json from base/a.json."),
        ((MINE, MINE, BASE), "Take /merges of a.json from base/a.json."),
        ((MINE,), "Take /merges of a.json from the base."),
        ((Place("m"),), "Take the key of this file from the base."),
        ((), "Take the key of this file from the base."),
    ],
)
def test_what_a_finding_does_not_name_is_said_in_general(
    places: tuple[Place, ...], said: str
) -> None:
    assert named(FORM, Finding(Severity.ERROR, "m", places, cause="shown")) == said


@pytest.mark.parametrize(
    ("with_base", "said"),
    [
        (False, "Run tokaudit with --base to compare the merges."),
        (True, "Compare the merges."),
    ],
)
def test_a_base_is_asked_for_only_where_none_is_given(with_base: bool, said: str) -> None:
    form = "{Compare|Run tokaudit with --base to compare} the merges."
    assert named(form, NOTHING, with_base=with_base) == said


def test_every_remedy_that_asks_for_a_base_knows_where_one_is_given() -> None:
    forms = {check.id: named(check.form, NOTHING, with_base=True) for check in all_checks()}
    assert [id for id, said in forms.items() if "tokaudit with --base" in said] == []


def test_a_name_that_looks_like_a_place_for_one_is_left_as_it_is() -> None:
    odd = Place("m", "{other|x}", "/merges")
    assert (
        named("See {file|it}.", Finding(Severity.ERROR, "m", (odd,), cause="shown"))
        == "See {other|x}."
    )


def test_braces_of_a_remedy_that_are_no_name_stay() -> None:
    assert plain('Write {"Regex": ...} or {% generation %}.') == (
        'Write {"Regex": ...} or {% generation %}.'
    )


def test_no_page_shows_a_place_for_a_name() -> None:
    assert [check.id for check in all_checks() if NAME.search(check.remedy)] == []
