"""What publishers write into a vocabulary by hand is not taken for damage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.report.model import Severity
from tokaudit.subject.material import Subject
from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType

Call = Callable[..., list[Any]]
Edit = dict[int, str]

NO_FILES = Subject("", Path(), ())


@pytest.fixture(scope="module")
def mistral(material: Path) -> TokenizerSpec:
    """A published SentencePiece BPE."""
    with tokaudit.open(material / "tokenizers" / "mistral-7b-v0.1" / "tokenizer.model") as opened:
        return opened.spec


@pytest.fixture(scope="module")
def unigram(material: Path) -> TokenizerSpec:
    """A published Unigram model, read from its tokenizer.json."""
    with tokaudit.open(material / "tokenizers" / "t5-small") as opened:
        return opened.spec


def rewritten(spec: TokenizerSpec, edit: Edit) -> TokenizerSpec:
    """The same numbers with other texts at these ids."""
    return replace(
        spec, pieces=spec.pieces | {i: Piece(TokenType.ORDINARY, t) for i, t in edit.items()}
    )


def exchanged(spec: TokenizerSpec, one: int, other: int) -> TokenizerSpec:
    """Two entries with each other's id, rank and score."""
    texts = {one: str(spec.pieces[other].value), other: str(spec.pieces[one].value)}
    return rewritten(spec, texts)


def without(spec: TokenizerSpec, gone: int) -> TokenizerSpec:
    """The entry deleted, and every later one moved up."""
    keep = [id for id in spec.pieces if id != gone]
    scores = {new: spec.scores[old] for new, old in enumerate(keep)}
    return replace(
        spec,
        pieces={new: spec.pieces[old] for new, old in enumerate(keep)},
        scores=scores,
        product_ranks={id: -score for id, score in scores.items()},
    )


def id_of(spec: TokenizerSpec, text: str) -> int:
    return next(id for id, piece in spec.pieces.items() if piece.value == text)


def severities(call: Call, spec: TokenizerSpec) -> list[Severity]:
    return [found.severity for found in call("vocab/learnable", spec, effective_merges(spec))]


def test_a_published_sentencepiece_bpe_is_a_trainers_record(
    call: Call, mistral: TokenizerSpec
) -> None:
    assert severities(call, mistral) == []


def test_entries_written_over_learned_ones_are_information(
    call: Call, mistral: TokenizerSpec
) -> None:
    over = {31001: "[User]:", 31002: "e.g.,\tthis"}
    assert severities(call, rewritten(mistral, over)) == [Severity.INFO]


def test_two_exchanged_entries_are_a_warning(call: Call, mistral: TokenizerSpec) -> None:
    spec = exchanged(mistral, id_of(mistral, "▁the"), id_of(mistral, "▁understanding"))
    assert severities(call, spec) == [Severity.WARNING]


def test_a_deleted_entry_is_a_warning(call: Call, mistral: TokenizerSpec) -> None:
    assert severities(call, without(mistral, id_of(mistral, "ation"))) == [Severity.WARNING]


def test_a_renamed_part_of_other_entries_is_a_warning(call: Call, mistral: TokenizerSpec) -> None:
    spec = rewritten(mistral, {id_of(mistral, "▁techn"): "átiqön"})
    assert severities(call, spec) == [Severity.WARNING]


def test_language_codes_after_a_unigram_vocabulary_are_in_order(
    call: Call, unigram: TokenizerSpec
) -> None:
    last = max(unigram.pieces)
    codes = {last + 1: "ar_AR", last + 2: "cs_CZ", last + 3: "<s>NOTUSED", last + 4: "__java__"}
    spec = rewritten(unigram, codes)
    spec = replace(spec, scores=spec.scores | dict.fromkeys(codes, 0.0))
    assert call("vocab/id-order", spec, NO_FILES) == []


def test_exchanged_entries_of_a_unigram_vocabulary_are_a_warning(
    call: Call, unigram: TokenizerSpec
) -> None:
    one, other = id_of(unigram, "▁the"), id_of(unigram, "▁situation")
    scores = unigram.scores | {one: unigram.scores[other], other: unigram.scores[one]}
    spec = replace(exchanged(unigram, one, other), scores=scores)
    (finding,) = call("vocab/id-order", spec, NO_FILES)
    assert finding.severity is Severity.WARNING


def appended(spec: TokenizerSpec, scores: dict[int, float]) -> TokenizerSpec:
    """These scores, and after them a block of entries that all have the score of the best."""
    last = max(spec.pieces)
    block = {last + number: f"▁word{number}" for number in range(1, 40)}
    scores = scores | dict.fromkeys(block, 0.0)
    ranks = {id: -score for id, score in scores.items()}
    return replace(rewritten(spec, block), scores=scores, product_ranks=ranks)


def test_a_block_appended_with_one_score_is_in_order(call: Call, mistral: TokenizerSpec) -> None:
    assert call("vocab/id-order", appended(mistral, dict(mistral.scores)), NO_FILES) == []


def test_two_exchanged_entries_before_an_appended_block_are_a_warning(
    call: Call, mistral: TokenizerSpec
) -> None:
    one, other = id_of(mistral, "▁the"), id_of(mistral, "▁understanding")
    scores = {one: mistral.scores[other], other: mistral.scores[one]}
    (finding,) = call("vocab/id-order", appended(mistral, {**mistral.scores, **scores}), NO_FILES)
    assert finding.severity is Severity.WARNING
