"""Equal decoder steps are the same decoder only where both get the same strings of their tokens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from library_pair import Content, LibraryPair, bpe, tokenizer
from run_here import trial_here

from tokaudit.engine.facet_names import DECODER, POST_PROCESSOR
from tokaudit.products.compare.facets.decoding import read_alike
from tokaudit.products.compare.facets.stages import post_processor
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.recheck.proofs import checkers
from tokaudit.report.comparison import PROVED, Certificate, Outcome, Proof
from tokaudit_reference.spec import UNSTATED

MODEL = bpe(["a", "b", "<A>"], [])
LOWER, NFC = {"type": "Lowercase"}, {"type": "NFC"}


def token(**flags: bool) -> Content:
    plain = dict.fromkeys(("special", "lstrip", "rstrip", "single_word"), False)
    return {"id": 2, "content": "<A>", **plain, "normalized": True, **flags}


def having(token: Content, normalizer: Content | None) -> Content:
    return tokenizer(MODEL, added_tokens=[token], normalizer=normalizer, decoder={"type": "Fuse"})


OTHERWISE: dict[str, tuple[Content, Content]] = {
    "another normalizer": (having(token(), None), having(token(), LOWER)),
    "another flag": (having(token(normalized=False), LOWER), having(token(), LOWER)),
    "an entry there, no added token": (
        having(token(), LOWER),
        tokenizer(MODEL, normalizer=LOWER, decoder={"type": "Fuse"}),
    ),
}
ALIKE: dict[str, tuple[Content, Content]] = {
    "the same in all": (having(token(), LOWER), having(token(), LOWER)),
    "a normalizer that leaves it": (having(token(), None), having(token(), NFC)),
    "a flag that nothing reads": (having(token(normalized=False), None), having(token(), None)),
}


@pytest.mark.parametrize(("one", "other"), OTHERWISE.values(), ids=OTHERWISE)
def test_a_token_that_is_read_back_as_its_normal_form_tells_decoders_apart(
    one: Content, other: Content, tmp_path: Path
) -> None:
    pair = LibraryPair(tmp_path, one, other)
    read = [library.decode([[2]]) for library in pair.libraries]
    assert read[0] != read[1]
    found = pair.facet(DECODER)
    assert found.outcome is Outcome.DIFFERS and found.evidence[0].ids == (2,)
    for proof in (Proof.EQUAL, Proof.ACTS_ALIKE):
        claim = Claim(DECODER, Certificate(proof), *pair.specs)
        assert "normal form on one side alone" in checkers()[proof].objection(claim)


def test_a_token_whose_normal_form_is_empty_is_another_string(tmp_path: Path) -> None:
    """The library panics on texts with such a token, so none is run."""
    gone = {"type": "Replace", "pattern": {"String": "<A>"}, "content": ""}
    specs = LibraryPair(tmp_path, having(token(), LOWER), having(token(), gone)).specs
    assert not read_alike(*specs) and not read_alike(*specs[::-1])
    claim = Claim(DECODER, Certificate(Proof.EQUAL), *specs)
    assert "normal form on one side alone" in checkers()[Proof.EQUAL].objection(claim)


def test_a_token_that_an_earlier_entry_makes_a_normal_form_is_never_proved(tmp_path: Path) -> None:
    once = having(token(normalized=False), LOWER)
    twice = {**once, "added_tokens": [token(), token(normalized=False)]}
    pair = LibraryPair(tmp_path, once, twice)
    assert [library.decode([[2]]) for library in pair.libraries] == [["<A>"], ["<a>"]]
    found = pair.facet(DECODER)
    assert found.outcome is Outcome.DIFFERS and found.evidence[0].ids == (2,)
    for proof in (Proof.EQUAL, Proof.ACTS_ALIKE):
        claim = Claim(DECODER, Certificate(proof), *pair.specs)
        assert "is listed twice" in checkers()[proof].objection(claim)


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE)
def test_tokens_that_are_read_back_alike_leave_a_decoder_proved(
    one: Content, other: Content, tmp_path: Path
) -> None:
    pair = LibraryPair(tmp_path, one, other)
    found = pair.facet(DECODER)
    assert found.outcome in PROVED and found.certificate is not None
    claim = Claim(DECODER, found.certificate, *pair.specs)
    assert checkers()[found.certificate.proof].objection(claim) == ""


TRIMS = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
BEGINS = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "a", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"a": {"id": "a", "ids": [0], "tokens": ["a"]}},
}


@pytest.mark.parametrize(
    ("stage", "outcome"), [(TRIMS, Outcome.UNDIFFERING), (BEGINS, Outcome.UNKNOWN)]
)
def test_a_post_processor_that_only_trims_offsets_is_none_next_to_one_that_nobody_states(
    stage: dict[str, Any], outcome: Outcome, tmp_path: Path
) -> None:
    left, right = LibraryPair(tmp_path, *[tokenizer(MODEL, post_processor=stage)] * 2).sides
    unstated = replace(right, spec=replace(right.spec, post_processor=UNSTATED))
    found = post_processor(left, unstated, trial_here(left, unstated))
    assert (found.name, found.outcome) == (POST_PROCESSOR, outcome)
