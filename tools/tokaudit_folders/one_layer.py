"""A GGUF file with one layer of random weights around a tokenizer: a server starts on it."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Mapping

from tokaudit_folders import gguf_files as g

WIDTH, HEADS, CONTEXT = 64, 2, 512
LLAMA: Mapping[str, g.Value] = {
    "general.architecture": (g.TEXT, "llama"),
    "llama.context_length": (g.U32, CONTEXT),
    "llama.embedding_length": (g.U32, WIDTH),
    "llama.block_count": (g.U32, 1),
    "llama.feed_forward_length": (g.U32, WIDTH),
    "llama.attention.head_count": (g.U32, HEADS),
    "llama.attention.head_count_kv": (g.U32, HEADS),
    "llama.attention.layer_norm_rms_epsilon": (g.F32, 1e-5),
    "llama.rope.dimension_count": (g.U32, WIDTH // HEADS),
}
SQUARE = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


def with_one_layer(keys: Mapping[str, g.Value], seed: int = 0) -> bytes:
    """The file: the keys of a tokenizer, those of a small model, and its weights."""
    entries = len(keys["tokenizer.ggml.tokens"][1])
    shapes = {
        "token_embd.weight": (WIDTH, entries),
        "output.weight": (WIDTH, entries),
        "output_norm.weight": (WIDTH,),
        "blk.0.attn_norm.weight": (WIDTH,),
        "blk.0.ffn_norm.weight": (WIDTH,),
        **{f"blk.0.{name}.weight": (WIDTH, WIDTH) for name in SQUARE},
    }
    listed, end = [], 0
    for name, shape in shapes.items():
        listed.append((name, shape, 0, end))
        end += 4 * math.prod(shape)
    drawn = random.Random(seed)
    weights = struct.pack(f"<{end // 4}f", *(drawn.gauss(0, 0.02) for _ in range(end // 4)))
    of_model = {**LLAMA, "llama.vocab_size": (g.U32, entries)}
    return g.gguf({**keys, **of_model}, listed) + weights
