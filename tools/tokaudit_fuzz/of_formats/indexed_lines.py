"""A list of characters that a model's own code indexes by line."""

from __future__ import annotations

from tokaudit_fuzz.sample import Files, Sample


def indexed_lines() -> Files:
    lines = [" ", "!", ",", "a", "b", "zhong1", "\u4f60"]
    return {"vocab.txt": "\n".join(lines).encode() + b"\n"}


SAMPLE = Sample("indexed lines", (indexed_lines,))
