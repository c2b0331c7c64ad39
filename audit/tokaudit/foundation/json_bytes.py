"""JSON of typed data, written so that a lack of memory is an error and not a crash."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Order = Literal["deterministic", "sorted"]


def json_bytes(value: Any, order: Order | None = None) -> bytes:
    """Encode a value as UTF-8 JSON; raise `UnicodeEncodeError` for an unpaired surrogate.

    It is written into a buffer of ours: `msgspec.json.encode` takes the process down where the
    memory for its own longer buffer is refused (0.22.0).

    >>> json_bytes({"b": 1, "a": [True]}, order="sorted")
    b'{"a":[true],"b":1}'
    """
    buffer = bytearray()
    msgspec.json.Encoder(order=order).encode_into(value, buffer)
    return bytes(buffer)
