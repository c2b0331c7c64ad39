"""The GGUF models with scores: `llama`, SentencePiece's BPE, and `t5`, its Unigram.

llama.cpp cuts a text at user-defined tokens before the model `llama` sees it, and puts a space
before what follows; so they are added tokens here.  That it takes the white space after some tokens
along by the name of the model is not represented.

Source: `llama-vocab.cpp` in llama.cpp.
"""

from __future__ import annotations

import base64
import math
from dataclasses import replace
from typing import Any

from tokaudit.subject.formats.gguf.around import around
from tokaudit.subject.formats.gguf.keys import Keys
from tokaudit_reference.spec import (
    Component,
    ModelType,
    Priority,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.normalizers.sentencepiece import SentencePiece


def bpe(keys: Keys) -> TokenizerSpec:
    """The model `llama`; control tokens are taken from text, as chat templates need it."""
    spec = _scored(keys, prefix=True, unknown=0, symbols=())
    return replace(
        spec,
        added_tokens=keys.added(TokenType.CONTROL, TokenType.USER_DEFINED, also=spec.unk_id),
        model_type=ModelType.BPE,
        priority=Priority.PRODUCT,
        product_ranks={id: -score for id, score in spec.scores.items()},
        post_processor=around(keys, (True, False), (1, 2)),
    )


def unigram(keys: Keys) -> TokenizerSpec:
    """The model `t5`; pieces are chosen as SentencePiece does, which takes no control from text."""
    kinds = zip(keys.tokens, keys.kinds, strict=True)
    symbols = tuple(token for token, kind in kinds if kind is TokenType.USER_DEFINED)
    spec = _scored(keys, prefix=False, unknown=2, symbols=symbols)
    return replace(
        spec, control_from_text=False, post_processor=around(keys, (False, True), (None, 1))
    )


def _scored(keys: Keys, *, prefix: bool, unknown: int, symbols: tuple[str, ...]) -> TokenizerSpec:
    scores = keys.entries("scores", float, int, as_many=True) or [0.0] * len(keys.tokens)
    for id, score in enumerate(scores):
        if not math.isfinite(score):
            raise keys.error("scores", f"has the score {score} for token {id}")
    unk_id = keys.id("unknown_token_id", unknown)
    options = _options(keys, prefix, symbols)
    rule = f"llama.cpp reads the model {keys.text('model')} so"
    implied = Component(options, Standing.IMPLIED, rule)
    return TokenizerSpec(
        model_type=ModelType.UNIGRAM,
        pieces={id: keys.piece(id) for id in range(len(keys.tokens))},
        scores={id: float(score) for id, score in enumerate(scores)},
        unk_id=unk_id,
        fuse_unk=True,
        byte_fallback=TokenType.BYTE in keys.kinds,
        added_tokens=keys.added(TokenType.CONTROL, also=unk_id),
        normalizer=implied,
        pre_tokenizer=Component(None, Standing.IMPLIED, rule),
        decoder=implied,
        duplicate_keys=keys.given_twice(),
    )


def _options(keys: Keys, prefix: bool, symbols: tuple[str, ...]) -> dict[str, Any]:
    return SentencePiece(
        precompiled_charsmap=base64.b64encode(keys.raw("precompiled_charsmap")).decode(),
        add_dummy_prefix=keys.flag("add_space_prefix", prefix),
        remove_extra_whitespaces=keys.flag("remove_extra_whitespaces", False),
        escape_whitespaces=keys.flag("escape_whitespaces", True),
        treat_whitespace_as_suffix=keys.flag("treat_whitespace_as_suffix", False),
        user_defined_symbols=symbols,
    ).to_json()
