"""Stages around each model in the form of `tokenizer.json`, and their words.

Training and encoding read the same stages, so a trained model meets at run time what it was
trained on.  BPE is byte-level and keeps every text; WordPiece is BERT's, lower-cased; Unigram marks
spaces (U+2581) and splits at line ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.products.train.recipe import Recipe
from tokaudit.products.train.settings import CHARACTERS, ModelKind
from tokaudit_reference.steps.decoders.byte_fallback import ByteFallback
from tokaudit_reference.steps.decoders.byte_level import ByteLevel as ByteLevelDecoder
from tokaudit_reference.steps.decoders.metaspace import Metaspace as MetaspaceDecoder
from tokaudit_reference.steps.decoders.word_piece import WordPiece
from tokaudit_reference.steps.normalizers.bert_normalizer import BertNormalizer
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.post_processors.template_processing import (
    A,
    B,
    Piece,
    TemplateProcessing,
)
from tokaudit_reference.steps.pre_tokenizers.bert_pre_tokenizer import BertPreTokenizer
from tokaudit_reference.steps.pre_tokenizers.byte_level import ByteLevel
from tokaudit_reference.steps.pre_tokenizers.metaspace import Metaspace
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.steps.sequence import sequence
from tokaudit_reference.steps.step import Added
from tokaudit_reference.text.published_patterns import PATTERNS

Stage = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The four stages around a model."""

    normalizer: Stage
    pre_tokenizer: Stage
    post_processor: Stage
    decoder: Stage


def pipeline(recipe: Recipe, ids: Mapping[str, int] | None = None) -> Pipeline:
    """Build the stages of a recipe; `ids` of special tokens complete the post-processor."""
    builders = {
        ModelKind.BPE: _bpe,
        ModelKind.WORDPIECE: _bert,
        ModelKind.UNIGRAM: _metaspace,
    }
    return builders[recipe.model](recipe, ids or {})


def _bpe(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    return (_characters if recipe.alphabet == CHARACTERS else _byte_level)(recipe, ids)


def _byte_level(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    split = ByteLevel(add_prefix_space=False).to_json()  # GPT-2's pattern is built in
    decoder = ByteLevelDecoder(add_prefix_space=False).to_json()
    if (*recipe.digits, *recipe.patterns) != PATTERNS["gpt2"]:
        steps = [_split(pattern) for pattern in (*recipe.digits, *recipe.patterns)]
        bytes = ByteLevel(add_prefix_space=False, use_regex=False).to_json()
        split = sequence("pre_tokenizer", [*steps, bytes])
    return Pipeline(None, split, None, decoder)


def _split(pattern: str) -> dict[str, Any]:
    return Split(Pattern(pattern, is_regex=True)).to_json()


def _bert(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    cuts, decoder = BertPreTokenizer().to_json(), WordPiece().to_json()
    return Pipeline(BertNormalizer().to_json(), cuts, _around(recipe, ids), decoder)


def _around(recipe: Recipe, ids: Mapping[str, int]) -> Stage:
    """Build BERT's [CLS] and [SEP] around a text, if the recipe has both."""
    cls, sep = recipe.roles.get("cls", ""), recipe.roles.get("sep", "")
    if cls not in ids or sep not in ids:
        return None
    first = (Piece(cls), A, Piece(sep))
    second = (replace(B, type_id=1), Piece(sep, type_id=1))
    tokens = tuple(Added.one(token, ids[token]) for token in (cls, sep))
    return TemplateProcessing(first, (*first, *second), tokens).to_json()


def _metaspace(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    mark = Metaspace(prepend_scheme="first").to_json()
    cuts = sequence("pre_tokenizer", [_split(r"[\r\n]+"), *map(_split, recipe.digits), mark])
    return Pipeline(None, cuts, None, MetaspaceDecoder(prepend_scheme="first").to_json())


def _characters(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    """Build spaces as for Unigram; fallback bytes that form a character become it."""
    around = _metaspace(recipe, ids)
    steps = [ByteFallback().to_json(), *filter(None, [around.decoder])]
    return replace(around, decoder=sequence("decoder", steps))
