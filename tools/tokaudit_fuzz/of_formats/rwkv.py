"""Tokens as RWKV's vocabulary lists them."""

from __future__ import annotations

from tokaudit_fuzz.sample import Files, Sample


def rwkv() -> Files:
    return {"rwkv_vocab.txt": b"1 '\\x00' 1\n2 b'\\xff' 1\n3 'ab' 2\n4 \"'\" 1\n5 '\xc3\xa9' 2\n"}


SAMPLE = Sample("rwkv", (rwkv,))
