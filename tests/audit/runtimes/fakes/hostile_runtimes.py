"""Encoders that do what no runtime should, for a worker to load with `call:`."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any


def code_points(text: str) -> list[int]:
    """An id for each code point, with a line on both streams."""
    print("working", file=sys.stderr)
    print("working")
    return [ord(character) for character in text]


def negative(text: str) -> list[int]:
    """Ids that no vocabulary has."""
    return [-1] * len(text)


def not_numbers(text: str) -> list[Any]:
    """No number at all for some texts."""
    return [float("nan")] if len(text) > 3 else [7]


def sleeps(text: str) -> list[int]:
    """An answer that never comes."""
    time.sleep(10_000)
    return []


def many_threads(text: str) -> list[int]:
    """More threads than a process may have."""
    for _ in range(5_000):
        threading.Thread(target=time.sleep, args=(10_000,)).start()
    return [7]


FORKED: list[int] = []


def forks(text: str) -> list[int]:
    """A process of its own, which is there after the answer."""
    if not FORKED:
        FORKED.append(os.fork())
        if FORKED == [0]:
            time.sleep(10_000)
    return [7]


def allocates(text: str) -> list[int]:
    """More memory than there is."""
    return [len(held) for held in [bytearray(50_000_000) for _ in range(1_000)]]


def beyond_numbers(text: str) -> list[int]:
    """An id that no library has the room for."""
    return [2**70]


def reads_nowhere(text: str) -> list[int]:
    """A fault of memory in native code."""
    ctypes.string_at(0)
    return []


def writes_to_every_pipe(text: str) -> list[int]:
    """Something of its own on every descriptor, the one for answers among them."""
    for descriptor in range(3, 40):
        try:
            os.write(descriptor, b"\xff" * 40)
        except OSError:
            continue
    return [7]


KNOWN = ("a", "b", " ", "ab")


class Decodes:
    """Encodes what the test's tokenizer knows, and does something else when it is to decode."""

    def __init__(self, gives: Any) -> None:
        self.gives = gives

    def encode(self, text: str) -> list[int]:
        """The ids of `a`, `b`, the space and `ab`."""
        return [KNOWN.index(part) for part in re.findall("ab|[ab ]", text)]

    def decode(self, ids: Sequence[int]) -> Any:
        """What it was made with; without anything the process ends."""
        if self.gives is None:
            os._exit(9)
        return self.gives


ends_while_decoding, decodes_to_a_number = Decodes(None), Decodes(7)
decodes_to_half_a_pair = Decodes("\ud800")


def __getattr__(name: str) -> object:
    """`ends_at_once` ends the process while it is loaded; nothing else is here."""
    if name == "ends_at_once":
        os._exit(3)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
