"""Ranks of bytes as tekken.json has them."""

from __future__ import annotations

import base64

from tokaudit_fuzz.sample import Files, Sample, written


def tekken() -> Files:
    tokens = [*(bytes([byte]) for byte in range(256)), b"ab"]
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(tokens)
    ]
    config = {"pattern": "\\w+", "default_num_special_tokens": 2, "default_vocab_size": 259}
    special = [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}]
    content = {"config": config, "vocab": vocab, "special_tokens": special}
    return {"tekken.json": b'{"token_bytes": 0,' + written(content)[1:]}


SAMPLE = Sample("tekken", (tekken,))
