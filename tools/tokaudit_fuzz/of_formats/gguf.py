"""A GGUF file of keys alone."""

from __future__ import annotations

import struct

from tokaudit_fuzz.sample import Files, Sample
from tokaudit_reference.text.bytes_alphabet import BYTE_OF


def gguf() -> Files:
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def texts(values: list[str]) -> bytes:
        return struct.pack("<IIQ", 9, 8, len(values)) + b"".join(map(text, values))

    keys = {
        "tokenizer.ggml.model": struct.pack("<I", 8) + text("gpt2"),
        "tokenizer.ggml.pre": struct.pack("<I", 8) + text("gpt-2"),
        "tokenizer.ggml.tokens": texts([*BYTE_OF, "ab"]),
        "tokenizer.ggml.merges": texts(["a b"]),
        "tokenizer.ggml.add_bos_token": struct.pack("<IB", 7, 0),
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys))
    return {"small.gguf": head + b"".join(text(key) + value for key, value in keys.items())}


SAMPLE = Sample("gguf", (gguf,))
