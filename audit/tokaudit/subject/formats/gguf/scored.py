"""GGUF models with scores: `llama`, SentencePiece's BPE, and `t5`, its Unigram.

llama.cpp cuts a text at added tokens before either model sees it, and puts a space before what
follows.  The model `llama` maps no characters and keeps all white space, whatever the file says.

Source: `llama-vocab.cpp` in llama.cpp.
"""

from __future__ import annotations

import base64
import math
from dataclasses import replace

from tokaudit.subject.formats.gguf.around import around
from tokaudit.subject.formats.gguf.attributes import added
from tokaudit.subject.formats.gguf.keys import Keys
from tokaudit.subject.upstream.llama_cpp.gguf_models import GgufModel, gguf_model
from tokaudit_reference.spec import (
    Component,
    ModelType,
    Priority,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.decoders.llama_cpp import LlamaCpp
from tokaudit_reference.steps.normalizers.llama_cpp_unigram import LlamaCppUnigram
from tokaudit_reference.steps.normalizers.sentencepiece import SentencePiece
from tokaudit_reference.steps.step import Step


def bpe(keys: Keys) -> TokenizerSpec:
    """Build the model `llama`."""
    known = gguf_model(keys.text("model"))
    prefix = keys.flag("add_space_prefix", known.prefixes_space)
    step = SentencePiece(add_dummy_prefix=prefix, remove_extra_whitespaces=False)
    spec = _scored(keys, step, known, prefix=prefix)
    return replace(
        spec,
        model_type=ModelType.BPE,
        priority=Priority.PRODUCT,
        product_ranks={id: -score for id, score in spec.scores.items()},
        byte_fallback=TokenType.BYTE in keys.kinds,
        post_processor=around(keys, known, known.ends),
    )


def unigram(keys: Keys) -> TokenizerSpec:
    """Build the model `t5`."""
    known = gguf_model(keys.text("model"))
    kinds = zip(keys.tokens, keys.kinds, strict=True)
    prefix = keys.flag("add_space_prefix", known.prefixes_space)
    step = LlamaCppUnigram(
        precompiled_charsmap=base64.b64encode(keys.raw("precompiled_charsmap")).decode(),
        add_space_prefix=prefix,
        remove_extra_whitespaces=keys.flag("remove_extra_whitespaces", False),
        user_defined_symbols=tuple(t for t, kind in kinds if kind is TokenType.USER_DEFINED),
    )
    spec = _scored(keys, step, known, prefix=prefix)
    return replace(spec, post_processor=around(keys, known, known.ends))


def _scored(keys: Keys, step: Step, known: GgufModel, *, prefix: bool) -> TokenizerSpec:
    scores = keys.entries("scores", float, int, as_many=True) or [0.0] * len(keys.tokens)
    for id, score in enumerate(scores):
        if not math.isfinite(score):
            raise keys.error("scores", f"has the score {score} for token {id}")
    unk_id = keys.id("unknown_token_id", known.ids.get("unk"))
    rule = f"llama.cpp reads the model {keys.text('model')} so"
    decoder = LlamaCpp(add_space_prefix=prefix).to_json()
    return TokenizerSpec(
        model_type=ModelType.UNIGRAM,
        pieces={id: keys.piece(id) for id in range(len(keys.tokens))},
        scores={id: float(score) for id, score in enumerate(scores)},
        unk_id=unk_id,
        fuse_unk=True,
        added_tokens=added(keys),
        normalizer=Component(step.to_json(), Standing.IMPLIED, rule),
        pre_tokenizer=Component(None, Standing.IMPLIED, rule),
        decoder=Component(decoder, Standing.IMPLIED, rule),
        duplicate_keys=keys.given_twice(),
    )
