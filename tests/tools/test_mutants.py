"""Every operator fits a family and names what exists; a sample of mutants is caught."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from locations import ROOT

from tokaudit_faults.case import Case, mutants, of_kind, present
from tokaudit_faults.fault import DRAFTS
from tokaudit_faults.healthy.families import OF_PACKAGES, OUTSIDE
from tokaudit_faults.scores.mutants import main
from tokaudit_faults.scores.mutants_page import SHORT, document, page, short, titled
from tokaudit_faults.scores.scorer import Score, Scorer, score
from tokaudit_tools.tables import head

OPERATORS = of_kind(DRAFTS)
EXCHANGED = "drafts/vocabulary/exchange_two_ids"
SAMPLE = (  # one of each kind of evidence: a base, the file alone, another file, weights, a text
    Case(EXCHANGED, "byte-level BPE", 3),
    Case("drafts/vocabulary/give_two_entries_one_id", "WordPiece", 1),
    Case("drafts/added tokens/exchange_two_ids_in_one_file", "SentencePiece BPE", 2),
    Case("drafts/weights/cut_the_embedding_short", "byte-level BPE", 4),
    Case("drafts/decoder/decode_no_bytes", "SentencePiece BPE"),
)


@pytest.fixture(scope="module")
def here() -> list[str]:
    """The families of packages; without the packages a test is skipped, and says so."""
    found, absent = present(OF_PACKAGES)
    if absent:
        pytest.skip("; ".join(absent.values()))
    return found


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda mutant: f"{mutant.healthy} {mutant.fault}")
def test_a_sample_of_mutants_is_caught(mutant: Case, here: list[str], processes: None) -> None:
    found = score(mutant, mutant.made_by.checks, Counter())
    assert found.caught, f"{found.check} {found.severity}: {found.said}"


def test_nothing_is_said_of_what_nobody_could_notice(here: list[str], processes: None) -> None:
    found = Scorer().score(Case("drafts/neutral/write_merges_as_lists", "byte-level BPE"))
    assert found.caught, f"{found.check} {found.severity}: {found.said}"


def test_every_operator_fits_a_family_and_changes_it(here: list[str]) -> None:
    outside = present([OUTSIDE])[0]
    if not outside:
        pytest.skip("set TOKAUDIT_MATERIAL to the folder that holds tokenizers/t5-small")
    used = {each.fault for each in mutants([*here, *outside], 2)}
    assert {each.id for each in OPERATORS} - used == set()


def test_an_operator_says_what_is_to_be_blamed_unless_it_is_neutral() -> None:
    assert [o.id for o in OPERATORS if bool(o.blamed) == o.neutral] == []


def test_a_seed_gives_the_same_mutant_every_time_and_others_other_ones(here: list[str]) -> None:
    made = [Case(EXCHANGED, here[0], seed).draft().digest() for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_survivors_stay_in_the_table_and_in_every_sum() -> None:
    made = [Case(EXCHANGED, "WordPiece", seed) for seed in (0, 1)]
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
    known = [(each.component, each.words) for each in OPERATORS]
    assert listed == [each for each in known if each not in NOT_SCORED_YET]


def test_scores_that_are_kept_are_not_run_again(
    here: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "leave out the mask"
    (kept,) = (m for m in mutants(["WordPiece"], 1) if titled(m.made_by).endswith(name))
    score = {"case": vars(kept), "caught": False, "check": "by/hand", "severity": "info"}
    file = tmp_path / "scores.jsonl"
    file.write_text(json.dumps(score) + "\n" + '{"cut')
    options = ["--family", "WordPiece", "--places", "1", "--kept", str(file)]
    assert main([*options, name]) == 0
    assert "by/hand (info)" in capsys.readouterr().out
