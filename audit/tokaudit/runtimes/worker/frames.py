"""Length-prefixed JSON frames of parent and worker: typed, size-capped, never pickles."""

from __future__ import annotations

import json
import os
import re
import select
import struct
import time
from dataclasses import dataclass
from typing import Any, NoReturn

import msgspec

from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.foundation.typed_values import read_json, read_value

LARGEST_FRAME = 256 * 1024 * 1024
CHUNK = 1 << 20
HEAD = struct.Struct(">I")


STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


@dataclass(frozen=True)
class MostValues:
    """Limits of values and objects in a frame, counted by commas and braces."""

    values: int
    objects: int

    def refuse(self, body: bytes) -> None:
        """Raise `TooLarge` for a larger frame before parsing: `{}` takes a hundred bytes."""
        if body.count(b",") <= self.values and body.count(b"{") <= self.objects:
            return
        bare = STRING.sub(b"", body)
        values, objects = bare.count(b","), bare.count(b"{")
        if values > self.values or objects > self.objects:
            raise TooLarge(
                f"a frame of {values:,} values and {objects:,} objects; the question allows "
                f"{self.values:,} and {self.objects:,}"
            )


class FrameError(Exception):
    """Raised if the other side closed the pipe, or sent something else."""


class Late(FrameError):
    """Raised if the deadline passed before the frame was complete."""


class Misfit(FrameError):
    """Raised if the frame does not have the requested type."""


class TooLarge(FrameError):
    """Raised if the frame exceeds the size limit."""


def send(
    descriptor: int, message: Any, deadline: float | None = None, largest: int | None = None
) -> None:
    """Write one message; any Python text arrives unchanged, surrogates too.

    With a deadline (monotonic seconds) the descriptor must not block, since the other side may
    have stopped reading.
    """
    body = written(message)
    _refuse_large(len(body), largest)
    data = memoryview(HEAD.pack(len(body)) + body)
    while data:
        if deadline is not None:
            _wait(descriptor, select.POLLOUT, deadline)
        data = data[os.write(descriptor, data) :]


def receive(
    descriptor: int,
    deadline: float | None = None,
    type: Any = dict[str, Any],
    largest: int = LARGEST_FRAME,
    most: MostValues | None = None,
) -> Any:
    """Read a message of that type, or raise `Late` at the deadline (monotonic seconds)."""
    (length,) = HEAD.unpack(_exactly(descriptor, HEAD.size, deadline))
    _refuse_large(length, largest)
    body = _exactly(descriptor, length, deadline)
    if most is not None:
        most.refuse(body)
    return _parsed(body, type)


def waits(descriptor: int) -> bool:
    """Return whether there is something to read."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    return any(event & select.POLLIN for _, event in waiting.poll(0))


def written(message: Any) -> bytes:
    """Encode as UTF-8 JSON, with a slower encoder for surrogates.

    They are written through and not as escapes, because two of them side by side would come
    back as the one character that they stand for in UTF-16.
    """
    try:
        return json_bytes(message)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(message)
        text = json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
        return text.encode("utf-8", "surrogatepass")


def _parsed(body: bytes, type: Any) -> Any:
    """Parse a frame, with a slower parser for surrogates."""
    try:
        return read_json(body, type)
    except msgspec.ValidationError as error:
        raise Misfit(f"a frame that is not as it must be: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        text = body.decode("utf-8", "surrogatepass")
        return read_value(json.loads(text, parse_constant=_refuse_constant), type)
    except msgspec.ValidationError as error:
        raise Misfit(f"a frame that is not as it must be: {error}") from error
    except (ValueError, RecursionError) as error:
        raise Misfit(f"a frame that is not JSON: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _refuse_large(length: int, largest: int | None = None) -> None:
    limit = LARGEST_FRAME if largest is None else min(largest, LARGEST_FRAME)
    if length > limit:
        raise TooLarge(f"a frame of {length:,} bytes; at most {limit:,} travel")


def _wait(descriptor: int, event: int, deadline: float) -> None:
    """Wait until the pipe is ready; `poll`, because `select` fails on descriptors above 1023."""
    waiting = select.poll()
    waiting.register(descriptor, event)
    left = deadline - time.monotonic()
    if left <= 0 or not waiting.poll(left * 1000):
        raise Late("timed out")


def _exactly(descriptor: int, count: int, deadline: float | None) -> bytes:
    parts: list[bytes] = []
    while count:
        if deadline is not None:
            _wait(descriptor, select.POLLIN, deadline)
        part = os.read(descriptor, min(count, CHUNK))
        if not part:
            raise FrameError("closed")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
