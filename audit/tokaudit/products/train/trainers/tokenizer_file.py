"""Contents of a trained tokenizer's files, without writing them.

The ids are those of the vocabulary first, in the order in which it was learned, then those of the
special tokens; so in a byte-level BPE an id is also the rank that tiktoken wants.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit.products.train.recipe import Recipe
from tokaudit.products.train.settings import ModelKind
from tokaudit.products.train.trainers.pipelines import pipeline
from tokaudit.subject.formats.common.model_types import NAMES
from tokaudit_reference.spec import ModelType

NO_LIMIT = int(1e30)  # what transformers writes where nobody set a maximum length
TOKEN_FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}


def tokenizer_json(
    recipe: Recipe, model: Mapping[str, Any], special: Mapping[str, int]
) -> dict[str, Any]:
    """Build the whole `tokenizer.json`."""
    stages = pipeline(recipe, special)
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": id, "content": token, **TOKEN_FLAGS, "special": True}
            for token, id in special.items()
        ],
        "normalizer": stages.normalizer,
        "pre_tokenizer": stages.pre_tokenizer,
        "post_processor": stages.post_processor,
        "decoder": stages.decoder,
        "model": dict(model),
    }


def tokenizer_config(recipe: Recipe, special: Mapping[str, int]) -> dict[str, Any]:
    """Build `tokenizer_config.json`, which transformers reads next to it."""
    config: dict[str, Any] = {
        "added_tokens_decoder": {
            str(id): {"content": token, **TOKEN_FLAGS, "special": True}
            for token, id in special.items()
        },
        "clean_up_tokenization_spaces": False,
        "model_max_length": NO_LIMIT,
        "tokenizer_class": "PreTrainedTokenizerFast",
        **special_tokens_map(recipe, special),
    }
    if recipe.model is ModelKind.WORDPIECE:
        config["do_lower_case"] = True
    return config


def special_tokens_map(recipe: Recipe, special: Mapping[str, int]) -> dict[str, Any]:
    """Build `special_tokens_map.json`: tokens by role, and tokens without one."""
    roles: dict[str, Any] = {f"{role}_token": token for role, token in recipe.roles.items()}
    others = [token for token in special if token not in recipe.roles.values()]
    return roles | ({"additional_special_tokens": others} if others else {})


def bpe_model(vocab: Mapping[str, int], merges: list[tuple[str, str]]) -> dict[str, Any]:
    """Build a byte-level BPE model, with pieces in the byte alphabet."""
    return {
        "type": NAMES[ModelType.BPE],
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": dict(vocab),
        "merges": [list(pair) for pair in merges],
    }


def wordpiece_model(vocab: Mapping[str, int], unknown: str, longest: int) -> dict[str, Any]:
    """Build a WordPiece model."""
    return {
        "type": NAMES[ModelType.WORDPIECE],
        "unk_token": unknown,
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": longest,
        "vocab": dict(vocab),
    }


def unigram_model(scored: list[tuple[str, float]], unk_id: int) -> dict[str, Any]:
    """Build a Unigram model."""
    return {
        "type": NAMES[ModelType.UNIGRAM],
        "unk_id": unk_id,
        "vocab": [list(entry) for entry in scored],
        "byte_fallback": False,
    }
