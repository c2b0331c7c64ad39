"""Every operator fits a family and names what exists; a sample of mutants is caught."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from locations import ROOT

from tokaudit.engine.check import all_checks
from tokaudit_mutants.__main__ import OUTSIDE, main
from tokaudit_mutants.mutant import Mutant, all_families, digest, mutants, present
from tokaudit_mutants.operator import OPERATORS
from tokaudit_mutants.scoring import Score, known_of, score
from tokaudit_mutants.table import SHORT, document, page, short
from tokaudit_scored.tables import head

SAMPLE = (  # one of each kind of evidence: a base, the file alone, another file, weights, a text
    Mutant("byte-level BPE", "vocabulary", "exchange two ids", 3),
    Mutant("WordPiece", "vocabulary", "give two entries one id", 1),
    Mutant("SentencePiece BPE", "added tokens", "exchange two ids in one file", 2),
    Mutant("byte-level BPE", "weights", "cut the embedding short", 4),
    Mutant("SentencePiece BPE", "decoder", "decode no bytes", 0),
    Mutant("byte-level BPE", "neutral", "write merges as lists", 0),
)


@pytest.fixture(scope="module")
def here() -> list[str]:
    """The families of packages; without the packages a test is skipped, and says so."""
    found, absent = present([name for name in all_families() if name != OUTSIDE])
    if absent:
        pytest.skip("; ".join(absent.values()))
    return found


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda mutant: f"{mutant.family} {mutant.operator}")
def test_a_sample_of_mutants_is_caught(mutant: Mutant, here: list[str], processes: None) -> None:
    side = mutant.family, mutant.made_by.base
    found = score(mutant, {side: known_of(*side) if mutant.made_by.neutral else Counter()})
    assert found.caught, f"{found.check} {found.severity}: {found.said}"


def test_every_operator_fits_a_family_and_changes_it(here: list[str]) -> None:
    outside = present([OUTSIDE])[0]
    if not outside:
        pytest.skip("set TOKAUDIT_MATERIAL to the folder that holds tokenizers/t5-small")
    used = {(each.group, each.operator) for each in mutants([*here, *outside], 2)}
    assert {(each.group, each.name) for each in OPERATORS} - used == set()


def test_every_check_that_an_operator_names_is_there() -> None:
    known = {check.id for check in all_checks()}
    wrong = {o.name: {*o.checks} - known for o in OPERATORS if {*o.checks} - known}
    assert wrong == {}


def test_an_operator_says_what_is_to_be_blamed_unless_it_is_neutral() -> None:
    assert [o.name for o in OPERATORS if bool(o.blamed and o.checks) == o.neutral] == []
    assert len([o for o in OPERATORS if not o.neutral]) >= 45
    assert len({(o.group, o.name) for o in OPERATORS}) == len(OPERATORS)


def test_a_seed_gives_the_same_mutant_every_time_and_others_other_ones(here: list[str]) -> None:
    made = [digest(Mutant(here[0], "vocabulary", "exchange two ids", n).draft()) for n in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_survivors_stay_in_the_table_and_in_every_sum() -> None:
    operator = next(o for o in OPERATORS if o.name == "exchange two ids")
    made = [Mutant("WordPiece", operator.group, operator.name, seed) for seed in (0, 1)]
    scores = [Score(made[0], True, "baseline/vocab", "error"), Score(made[1], False)]
    assert "| vocabulary | 1 | 2 | 1 (50.0 %) |" in short(scores)
    assert "| 1 | vocabulary: exchange two ids | WordPiece | nothing |" in page(scores, 2)
    (lost,) = document(scores, 2, {})["survivors"]
    assert lost["seed"] == 1


def test_the_page_has_the_scores_that_its_file_has() -> None:
    text = (ROOT / "docs" / "mutants.md").read_text("utf-8")
    table = text.partition(head(*SHORT))[2].partition("\n\n")[0]
    whole = json.loads((ROOT / "docs" / "mutants.json").read_text("utf-8"))
    broken = [each for each in whole["operators"] if each["group"] != "neutral"]
    made, caught = (sum(each[key] for each in broken) for key in ("mutants", "caught"))
    assert f"| {made} | {caught} (" in table


NOT_SCORED_YET = set[tuple[str, str]]()
"""Operators that no run of `make mutants` has scored; the next one empties this."""


def test_the_file_of_scores_lists_every_operator() -> None:
    """`make mutants` writes it; an operator that is new or gone needs another run."""
    whole = json.loads((ROOT / "docs" / "mutants.json").read_text("utf-8"))
    listed = [(each["group"], each["name"]) for each in whole["operators"]]
    known = [(each.group, each.name) for each in OPERATORS]
    assert listed == [each for each in known if each not in NOT_SCORED_YET]


def test_scores_that_are_kept_are_not_run_again(
    here: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "leave out the mask"
    (kept,) = (each for each in mutants(["WordPiece"], 1) if each.operator == name)
    score = {"mutant": vars(kept), "caught": False, "check": "by/hand", "severity": "info"}
    file = tmp_path / "scores.jsonl"
    file.write_text(json.dumps(score) + "\n" + '{"cut')
    options = ["--family", "WordPiece", "--places", "1", "--kept", str(file)]
    assert main([*options, name]) == 0
    assert "by/hand (info)" in capsys.readouterr().out
