"""What an older version of the library does not know, the reference leaves as that version does."""

from __future__ import annotations

from itertools import pairwise

from pytest import mark

from tokaudit_reference.spec import Component, ModelType, TokenizerSpec
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.text.older_tables import not_yet

CAPITAL_OF_UNICODE_17, ITS_SMALL = "\U00016ea0", "\U00016ebb"
CAPITAL_OF_UNICODE_16 = "\U00010d50"
DIGIT_OF_UNICODE_17 = "\U00011de0"
VERSIONS = ("0.20.0", "0.21.0", "0.21.1", "0.22.1", "0.22.2", "0.23.1")
BERT = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False}


def run_by(library: str, *normalizers: dict[str, object]) -> TokenizerSpec:
    chain = {"type": "Sequence", "normalizers": list(normalizers)}
    digits = Component({"type": "Digits", "individual_digits": True})
    stages = {"normalizer": Component(chain), "pre_tokenizer": digits}
    return TokenizerSpec(ModelType.BPE, {}, library=library, **stages)


@mark.parametrize("step", [{"type": "Lowercase"}, {"type": "BertNormalizer", **BERT}])
def test_a_capital_stays_in_a_version_that_does_not_know_it(step: dict[str, object]) -> None:
    text = f"A{CAPITAL_OF_UNICODE_17}B"
    before, since = (normalizer(run_by(each, step).normalizer) for each in ("0.22.1", "0.22.2"))
    assert before(text) == f"a{CAPITAL_OF_UNICODE_17}b"
    assert since(text) == f"a{ITS_SMALL}b"


def test_a_capital_that_stays_has_the_same_place_in_both_ways_through_a_normalizer() -> None:
    step = run_by("0.21.0", {"type": "Lowercase"}).normalizer.steps[0]
    rewriting = step.build()  # type: ignore[attr-defined]
    text = f"ΣΑ{CAPITAL_OF_UNICODE_16}Σ"
    assert rewriting.apply(text) == f"σα{CAPITAL_OF_UNICODE_16}σ"
    assert [each.start for each in rewriting.edits(text)] == [0, 1, 3]


def test_a_digit_is_not_cut_off_in_a_version_that_does_not_know_it() -> None:
    text = f"a{DIGIT_OF_UNICODE_17}a"
    before, since = (pre_tokenizer(run_by(each).pre_tokenizer) for each in ("0.22.1", ""))
    assert before(text, True) == [text]
    assert since(text, True) == ["a", DIGIT_OF_UNICODE_17, "a"]


def test_a_step_is_written_as_before_whichever_version_runs_it() -> None:
    older = run_by("0.21.4", {"type": "Lowercase"}, {"type": "BertNormalizer", **BERT})
    newest = run_by("", {"type": "Lowercase"}, {"type": "BertNormalizer", **BERT})
    for ours, theirs in zip(older.normalizer.steps, newest.normalizer.steps, strict=True):
        assert ours.to_json() == theirs.to_json()
        assert ours.effects == theirs.effects


@mark.parametrize("operation", ["Lowercase", "Digits"])
def test_each_version_knows_what_the_one_before_it_knows(operation: str) -> None:
    for older, newer in pairwise(VERSIONS):
        assert not_yet(newer, operation) <= not_yet(older, operation)
    assert not_yet("0.22.2", operation) == frozenset()
    assert len(not_yet("0.20.0", operation)) == {"Lowercase": 55, "Digits": 93}[operation]
