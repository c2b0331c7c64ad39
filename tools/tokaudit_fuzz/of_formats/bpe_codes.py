"""Words with merges and their counts, and the tokens they make."""

from __future__ import annotations

from tokaudit_fuzz.sample import Files, Sample


def bpe_codes() -> Files:
    return {"bpe.codes": b"a b</w> 9\nc a 7\n", "vocab.txt": b"ab 4\na@@ 3\nb 2\nca@@ 1\nc@@ 1\n"}


SAMPLE = Sample("bpe.codes+vocab.txt", (bpe_codes,))
