"""Decode JSON and plain values into typed data, in any number of threads.

msgspec looks at a class when it is first asked for it, and runs Python meanwhile.  A second thread
that asks then is given what has been found so far, which takes the process down (0.22.0).  So one
thread at a time asks, and a value is read when all is known of its type.
"""

from __future__ import annotations

import threading
from typing import Any, TypeVar

import msgspec

_Value = TypeVar("_Value")
_asking = threading.Lock()


def read_json(data: bytes | str, kind: type[_Value]) -> _Value:
    """Decode JSON text into a type; raise what `msgspec.json.decode` does.

    >>> read_json("[1, 2]", tuple[int, int])
    (1, 2)
    """
    return _known(kind).decode(data)


def read_value(value: Any, kind: type[_Value]) -> _Value:
    """Convert lists, texts and numbers into a type; raise `msgspec.ValidationError`.

    >>> read_value([1, 2], tuple[int, int])
    (1, 2)
    """
    _known(kind)
    return msgspec.convert(value, kind)


def _known(kind: type[_Value]) -> msgspec.json.Decoder[_Value]:
    with _asking:
        return msgspec.json.Decoder(kind)
