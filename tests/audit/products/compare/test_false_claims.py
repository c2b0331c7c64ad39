"""Claims that no honest prover makes, each with the certificate that it would have, are refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from alike_sides import BERT
from differing_sides import Options, spec, split, text

from tokaudit.engine.facet_names import (
    ADDED,
    DECODER,
    IDS,
    MERGES,
    NORMALIZER,
    POST_PROCESSOR,
    PRE_TOKENIZER,
)
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.facets.model import merges
from tokaudit.products.compare.facets.stages import post_processor
from tokaudit.products.compare.facets.vocabulary import ids
from tokaudit.products.compare.proofs.merges.check import digest_of, firing
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Certificate, Comparison, Facet, Outcome, Proof, Relation
from tokaudit_reference.spec import (
    UNSTATED,
    AddedToken,
    Dialect,
    ModelType,
    Piece,
    Priority,
    TokenizerSpec,
    TokenType,
)

Sides = tuple[TokenizerSpec, TokenizerSpec]
CONTROL = Piece(TokenType.CONTROL, "a")
IN_FILE = (AddedToken(0, "[x]"), AddedToken(1, "[y]"))  # which a loader gives the ids 2 and 3


def said(name: str, certificate: Certificate, sides: Sides) -> str:
    """What is said of a claim whose certificate is as a prover would write it."""
    left, right = (Side(each, own) for each, own in zip("ab", sides, strict=True))
    claimed = Facet(name, Outcome.EQUIVALENT, "", certificate=certificate)
    found = certified(claimed, left, right)
    whole = Comparison("a", "b", 0, 0, Relation.SAME, facets=(found,))
    return objection(left, right, found, whole)


def around(*steps: Options) -> TokenizerSpec:
    return spec("a", "b", stages={"post_processor": {"type": "Sequence", "processors": [*steps]}})


def scored(dialect: Dialect) -> TokenizerSpec:
    """A model of ranked tokens with a control token, which llama.cpp merges like any other."""
    found = spec("a", "b", priority=Priority.PRODUCT, product_ranks={}, dialect=dialect)
    return replace(found, pieces={**found.pieces, 2: Piece(TokenType.CONTROL, "ab")})


USUAL = {
    "type": "TemplateProcessing",
    "single": [text("A", 0)],
    "pair": [text("A", 0), text("B", 1)],
    "special_tokens": {},
}
WORDS, MOVED = (spec(*each, model=ModelType.WORDLEVEL) for each in (("a", "b"), ("b", "a")))
TWICE = {0: Piece(TokenType.ORDINARY, "a"), 1: CONTROL}
NO_MERGES = digest_of(firing(scored(Dialect.PUBLISHED)), (), in_order=False)
ROBERTA = {**BERT, "type": "RobertaProcessing", "trim_offsets": True, "add_prefix_space": False}

FALSE: dict[str, tuple[str, Certificate, Sides]] = {
    "entries at the ids that a file states for other tokens": (
        *(IDS, Certificate(Proof.EQUAL)),
        (replace(WORDS, added_tokens=IN_FILE), replace(MOVED, added_tokens=IN_FILE)),
    ),
    "added tokens that a loader numbers in their order": (
        *(ADDED, Certificate(Proof.ACTS_ALIKE)),
        (
            spec("a", added_tokens=(AddedToken(1, "<e>"), AddedToken(2, "<b>"))),
            spec("a", added_tokens=(AddedToken(2, "<b>"), AddedToken(1, "<e>"))),
        ),
    ),
    "a usual template after a step that gives both texts one type": (
        *(POST_PROCESSOR, Certificate(Proof.SAME_IDS)),
        (around(ROBERTA), around(ROBERTA, USUAL)),
    ),
    "models whose engines merge by other rules": (
        *(MERGES, Certificate(Proof.MERGES, NO_MERGES, "merges-canonical-v1")),
        (scored(Dialect.PUBLISHED), scored(Dialect.LLAMA_CPP)),
    ),
    "merges of which some are left out at random": (
        *(MERGES, Certificate(Proof.EQUAL)),
        (spec("a", merges=(), dropout=0.5), spec("a", merges=(), dropout=0.5)),
    ),
    "words of which two entries are written alike": (
        *(MERGES, Certificate(Proof.ENTRIES, entries=2)),
        (replace(WORDS, pieces=TWICE), replace(WORDS, pieces={0: CONTROL, 1: TWICE[0]})),
    ),
    "what is put before a text on request": (
        *(POST_PROCESSOR, Certificate(Proof.EQUAL)),
        (
            replace(WORDS, post_processor=UNSTATED, begin_id=0),
            replace(WORDS, post_processor=UNSTATED, begin_id=1),
        ),
    ),
    "the same by the ids alone": (
        *(POST_PROCESSOR, Certificate(Proof.SAME_IDS)),
        (
            replace(WORDS, post_processor=UNSTATED, begin_id=0),
            replace(WORDS, post_processor=UNSTATED, begin_id=1),
        ),
    ),
}


@pytest.mark.parametrize("false", FALSE)
def test_a_false_claim_is_refused(false: str) -> None:
    assert said(*FALSE[false]) != ""


@pytest.mark.parametrize(
    ("facet", "stage"),
    [
        (NORMALIZER, "normalizer"),
        (PRE_TOKENIZER, "pre_tokenizer"),
        (POST_PROCESSOR, "post_processor"),
        (DECODER, "decoder"),
    ],
)
@pytest.mark.parametrize("proof", [Proof.EQUAL, Proof.ACTS_ALIKE])
def test_a_stage_that_one_side_does_not_state_is_proved_by_nothing(
    facet: str, stage: str, proof: Proof
) -> None:
    sides = spec("a"), replace(spec("a"), **{stage: UNSTATED})
    assert said(facet, Certificate(proof), sides) == "only one side states it"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((AddedToken(0, "a"),), (AddedToken(0, "a"), AddedToken(0, "[x]"))),
        ((AddedToken(0, "a"),), (AddedToken(0, "[x]"),)),
    ],
    ids=["on one side for two tokens", "on one side for another token"],
)
def test_the_same_entry_at_an_id_that_files_state_for_added_tokens_is_the_same(
    first: tuple[AddedToken, ...], second: tuple[AddedToken, ...]
) -> None:
    sides = replace(WORDS, added_tokens=first), replace(WORDS, added_tokens=second)
    assert _ids(Side("a", sides[0]), Side("b", sides[1])).outcome is Outcome.IDENTICAL
    assert said(IDS, Certificate(Proof.EQUAL), sides) == ""


def test_an_entry_that_an_added_token_is_may_be_missing_on_the_other_side() -> None:
    both = AddedToken(1, "b"), AddedToken(1, "[x]")
    sides = replace(WORDS, added_tokens=both), replace(spec("a"), added_tokens=both)
    assert _ids(Side("a", sides[0]), Side("b", sides[1])).outcome is Outcome.IDENTICAL
    assert said(IDS, Certificate(Proof.EQUAL), sides) == ""


def test_nothing_of_it_is_claimed() -> None:
    words, moved = FALSE["entries at the ids that a file states for other tokens"][2]
    left, right = Side("a", words), Side("b", moved)
    found: Any = _ids(left, right)
    assert found.why == "2 entries shared, 2 of them with different ids"
    one, other = FALSE["what is put before a text on request"][2]
    left, right = Side("a", one), Side("b", other)
    assert post_processor(left, right, Trial(left, right, [])).outcome is Outcome.UNKNOWN
    one, other = FALSE["words of which two entries are written alike"][2]
    left, right = Side("a", one), Side("b", other)
    assert not isinstance(merges(left, right, Trial(left, right, [])), Facet)


def test_cuts_of_a_side_that_states_none_are_not_proved() -> None:
    sides = (
        spec("a", stages={"pre_tokenizer": split("a")}),
        replace(spec("a"), pre_tokenizer=UNSTATED),
    )
    for proof in (Proof.CUTS, Proof.NO_ENTRY_ACROSS):
        assert said(PRE_TOKENIZER, Certificate(proof), sides) == "only one side states it"


def _ids(left: Side, right: Side) -> Any:
    return ids(left, right, Trial(left, right, ()).entries)
