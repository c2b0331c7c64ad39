"""Ranks in one line of JSON, with the pattern."""

from __future__ import annotations

import base64

from tokaudit_fuzz.sample import Files, Sample, written


def tiktoken_json() -> Files:
    ranks = " ".join(base64.b64encode(bytes([byte])).decode() for byte in range(256))
    data = {
        "pat_str": "\\\\S+",
        "special_tokens": {"<|end|>": 257},
        "bpe_ranks": f"! 0 {ranks}\n! 256 YWI=",
    }
    return {"small.json": written(data)}


SAMPLE = Sample("tiktoken.json", (tiktoken_json,))
