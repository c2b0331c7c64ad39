"""What a stored comparison says as a whole is not better than its own facets and texts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from run_here import trial_here

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.products.compare.judging.purposes import suitability
from tokaudit.products.compare.recheck.whole import rederived
from tokaudit.report.comparison import Comparison, Outcome, Purpose, Relation
from tokaudit.report.model import Verdict
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType

PIECES = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(["a", "b", "ab"])}
NONE = Component(None, Standing.STATED)
STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")


def spec(*merges: tuple[str, str]) -> TokenizerSpec:
    return TokenizerSpec(ModelType.BPE, PIECES, merges=merges, **dict.fromkeys(STAGES, NONE))


@pytest.fixture
def made() -> tuple[Trial, Comparison]:
    """Two tokenizers that differ in one merge, on one text, for a purpose."""
    trial = trial_here(Side("left", spec(("a", "b"))), Side("right", spec()))
    found = compared(trial, Searched(("ab", "b")))
    return trial, replace(found, suitability=suitability(Purpose.PRUNED, trial, found))


def objections(trial: Trial, stored: Comparison) -> list[str]:
    return [each.objection for each in rederived(trial, stored) if each.objection]


def test_a_comparison_as_it_was_made_holds(made: tuple[Trial, Comparison]) -> None:
    trial, found = made
    assert (found.relation, found.different) == (Relation.RESEGMENTED, 1)
    assert objections(trial, found) == []


@pytest.mark.parametrize("better", [Relation.SAME, Relation.UNDIFFERING, Relation.REMAPPED])
def test_a_better_relation_is_refused(made: tuple[Trial, Comparison], better: Relation) -> None:
    trial, found = made
    why = "by its facets and texts it would be resegmented"
    assert objections(trial, replace(found, relation=better)) == [why]


def test_random_tokens_need_not_show_again(made: tuple[Trial, Comparison]) -> None:
    """With dropout a text that differed once may not differ the next time."""
    _, found = made
    random = Trial(Side("left", replace(spec(), dropout=0.1)), Side("right", spec()), [])
    assert objections(random, replace(found, suitability=None)) == []
    assert objections(Trial(random.right, random.right, []), replace(found, minimal=None)) != []


def test_fewer_differing_texts_than_are_shown_are_refused(made: tuple[Trial, Comparison]) -> None:
    trial, found = made
    assert objections(trial, replace(found, different=0)) == ["the stored texts show 1"]


def test_a_facet_that_is_left_out_is_missed(made: tuple[Trial, Comparison]) -> None:
    trial, found = made
    fewer = tuple(facet for facet in found.facets if facet.name != "decoder")
    assert objections(trial, replace(found, facets=fewer)) == ["there is none for decoder"]


def test_a_difference_without_its_text_is_refused(made: tuple[Trial, Comparison]) -> None:
    trial, found = made
    bare = tuple(replace(facet, evidence=()) for facet in found.facets)
    assert objections(trial, replace(found, facets=bare)) == ["it has no text that shows it"]


def test_what_files_state_is_read_again(made: tuple[Trial, Comparison]) -> None:
    trial, found = made
    facets = tuple(
        replace(facet, outcome=Outcome.UNKNOWN, certificate=None)
        if facet.name == "special roles"
        else facet
        for facet in found.facets
    )
    why = "by the files it would be no difference found"
    assert objections(trial, replace(found, facets=facets)) == [why]


def test_a_purpose_that_is_broken_is_not_served(made: tuple[Trial, Comparison]) -> None:
    trial, found = made
    assert found.suitability is not None and found.suitability.verdict is Verdict.FAIL
    fits = replace(found.suitability, verdict=Verdict.PASS)
    why = "by its facets it would be fail"
    assert objections(trial, replace(found, suitability=fits)) == [why]
