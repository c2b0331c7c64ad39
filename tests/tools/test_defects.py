"""No documented defect that was caught once is lost again."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from places import hold_to_places

import tokaudit_defects.recipes  # noqa: F401  registers every recipe
from tokaudit_defects import catalogue
from tokaudit_defects.__main__ import main
from tokaudit_defects.catalogue import Entry
from tokaudit_defects.recipe import RECIPES, Recipe
from tokaudit_defects.scoring import Score, Scorer
from tokaudit_defects.table import caught_ids, sums, ways
from tokaudit_defects.unscored import UNSCORED
from tokaudit_folders import sick

TESTS = Path(__file__).resolve().parent.parent
CAUGHT = """
D01 D02 D03 D05 D07 D08 D10 D11 D12 D14 D16 D18 D20 D21 D23 D25 D26 D27 D29 D30 D33 D34 D35 D38 D40
D42 D43 D45 D46 D49 D51 D52 D54 D55 D57 D58 D60 D61 D63 D64 D66 D68 D71 D72 D74 D75 D77 D78 D80 D81 D82 D83
D85 D86 D88 D92 D93 D95 D96 D103 D104 D106 D107 D109 D110 D112 D113 D115 D116 D118 D119 D121 D122 D124 D125
D127 D130 D131 D133
"""


@pytest.fixture(autouse=True)
def places_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold every finding of every recipe to the places that it names."""
    hold_to_places(monkeypatch)


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer(whole=False)


@pytest.fixture(scope="module")
def known(material: Path) -> dict[str, Entry]:
    if not (material / "defects.json").is_file():
        pytest.skip("no catalogue of defects: set TOKAUDIT_MATERIAL to a folder that has one")
    return {entry.id: entry for entry in catalogue.entries(material)}


@pytest.mark.parametrize("id", CAUGHT.split())
def test_the_check_that_names_the_cause_speaks_as_loudly_as_the_harm_deserves(
    id: str,
    scorer: Scorer,
    known: dict[str, Entry],
    monkeypatch: pytest.MonkeyPatch,
    material: Path,
    processes: None,
) -> None:
    monkeypatch.setenv("TOKAUDIT_MATERIAL", str(material))
    recipes = [recipe for recipe in RECIPES if recipe.defect == id]
    if any(recipe.against for recipe in recipes):  # encoders that lie in a module of the tools
        monkeypatch.setenv("PYTHONPATH", str(TESTS.parent / "tools"))
    scores = [scorer.score(recipe) for recipe in recipes]
    missed = [s.recipe.name for s in scores if not s.caught(known[id].severity)]
    assert scores and missed == []


@pytest.mark.parametrize("entry", catalogue.own_entries(), ids=lambda entry: entry.id)
def test_the_defects_that_the_project_lists_are_caught(
    entry: Entry, scorer: Scorer, processes: None
) -> None:
    scores = [scorer.score(recipe) for recipe in RECIPES if recipe.defect == entry.id]
    missed = [s.recipe.name for s in scores if not s.caught(entry.severity)]
    assert scores and missed == []


def test_the_project_lists_thirty_defects_and_each_cites_a_public_thread() -> None:
    listed = catalogue.own_entries()
    thread = re.compile(r"[\w.-]+/[\w.-]+(#| PR#)\d+")
    wrong = {e.id: e.references for e in listed if not all(map(thread.fullmatch, e.references))}
    assert wrong == {} and all(entry.references for entry in listed)
    assert len({entry.id for entry in listed}) == len(listed) >= 30


def test_the_sums_tell_what_the_folder_shows_from_what_needs_a_base() -> None:
    alone = Recipe("D30", "alone", sick.healthy, nothing, ("padding/pad-token",))
    against = replace(alone, defect="D21", base=True)
    rows = [(Entry(r.defect, "", "low", ""), Score(r, "pass", None)) for r in (alone, against)]
    said = ways(rows)
    assert said[:2] == ["shown by the folder alone: 1 (D30)", "need a base: 1 (D21)"]
    assert any(line.startswith("not seen from files, D32, D37") for line in said)


def test_an_entry_that_one_instance_shows_alone_needs_no_base() -> None:
    alone = Recipe("D21", "alone", sick.healthy, nothing, ("special_tokens/post-processor",))
    both = [
        (Entry("D21", "", "low", ""), Score(replace(alone, base=b), "", None))
        for b in (True, False)
    ]
    assert ways(both)[0] == "shown by the folder alone: 1 (D21)"


def test_every_entry_has_a_recipe_or_a_reason_why_no_folder_shows_it(
    known: dict[str, Entry],
) -> None:
    made = {recipe.defect for recipe in RECIPES}
    assert made | UNSCORED.keys() == known.keys() and not made & UNSCORED.keys()


def nothing(folder: Path) -> None:
    """A break that breaks nothing."""


def test_a_folder_that_nobody_broke_is_a_miss_and_is_counted(scorer: Scorer) -> None:
    recipe = Recipe("D112", "nothing", sick.healthy, nothing, ("merges/duplicates",))
    entry = Entry("D112", "duplicate-merge-pair", "low", "")
    rows = [(entry, scorer.score(recipe))]
    assert caught_ids(rows) == set()
    assert sums(rows, [entry])[0] == f"0 of 1 entries caught, {len(UNSCORED)} not scored"


def test_a_warning_does_not_catch_what_deserves_an_error(scorer: Scorer) -> None:
    recipe = Recipe(
        "D113",
        "too_long",
        sick.healthy,
        sick.allow_more_tokens_than_positions,
        ("padding/position-budget",),
        "error",
    )
    assert not scorer.score(recipe).caught("medium")


def test_a_critical_defect_that_passes_is_a_miss(scorer: Scorer) -> None:
    recipe = Recipe(
        "D113",
        "too_long",
        sick.healthy,
        sick.allow_more_tokens_than_positions,
        ("padding/position-budget",),
    )
    found = scorer.score(recipe)
    assert found.caught("medium") and not found.caught("critical")


def test_without_the_material_the_command_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKAUDIT_MATERIAL", str(tmp_path))
    assert main([]) == 2
    assert "set TOKAUDIT_MATERIAL" in capsys.readouterr().err
