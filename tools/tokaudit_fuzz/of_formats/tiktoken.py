"""A bare file of ranks."""

from __future__ import annotations

import base64

from tokaudit_fuzz.sample import Files, Sample


def tiktoken() -> Files:
    tokens = [*(bytes([byte]) for byte in range(256)), b"ab", b"abc"]
    lines = (base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    return {"small.tiktoken": b"".join(lines)}


SAMPLE = Sample("tiktoken", (tiktoken,))
