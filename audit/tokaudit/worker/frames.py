"""Length-prefixed JSON frames between the parent and a worker: never pickles, size-capped."""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any

LARGEST_FRAME = 256 * 1024 * 1024
HEAD = struct.Struct(">I")


class FrameError(Exception):
    """The other side closed the pipe, was too slow, or sent what is no frame."""


def send(descriptor: int, message: Any) -> None:
    """Write one message; text with lone surrogates travels as escapes."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    data = memoryview(HEAD.pack(len(body)) + body)
    while data:
        data = data[os.write(descriptor, data) :]


def receive(descriptor: int, deadline: float | None = None) -> Any:
    """Read one message, or raise `FrameError` when the deadline (monotonic seconds) passes."""
    (length,) = HEAD.unpack(_exactly(descriptor, HEAD.size, deadline))
    if length > LARGEST_FRAME:
        raise FrameError(f"a frame of {length:,} bytes; at most {LARGEST_FRAME:,} are read")
    return json.loads(_exactly(descriptor, length, deadline))


def _exactly(descriptor: int, count: int, deadline: float | None) -> bytes:
    parts: list[bytes] = []
    while count:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise FrameError("timed out")
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            raise FrameError("closed")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
