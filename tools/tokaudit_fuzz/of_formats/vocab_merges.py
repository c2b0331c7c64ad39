"""The pair of files of a BPE of bytes, with settings next to them."""

from __future__ import annotations

from tokaudit_fuzz.sample import CONFIG, Files, Sample, written
from tokaudit_reference.text.bytes_alphabet import BYTE_OF


def vocab_merges() -> Files:
    tokens = [*BYTE_OF, *(f"{character}</w>" for character in BYTE_OF), "ab</w>", "<|endoftext|>"]
    return {
        "vocab.json": written({token: id for id, token in enumerate(tokens)}),
        "merges.txt": b"#version: 0.2\na b</w>\n",
        "tokenizer_config.json": written(CONFIG),
        "added_tokens.json": b'{"<late>": 600}',
    }


SAMPLE = Sample("vocab.json+merges.txt", (vocab_merges,))
