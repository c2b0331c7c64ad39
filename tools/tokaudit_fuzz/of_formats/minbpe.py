"""A model as minbpe writes it."""

from __future__ import annotations

from tokaudit_fuzz.sample import Files, Sample


def minbpe() -> Files:
    return {"small.model": b"minbpe v1\n\\w+|\\s\n1\n<|end of|> 300\n97 98\n256 99\n32 256\n"}


SAMPLE = Sample("minbpe", (minbpe,))
