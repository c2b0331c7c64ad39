"""One field of a file that grows costs memory in proportion, and no more.

Three bytes of an input choose the field and how far it grows; the rest is what it grows by.
"""

from __future__ import annotations

import json
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit_fuzz.samples import built, checkpoint
from tokaudit_fuzz.targets import parse

LARGEST = 1 << 18  # bytes by which a field grows
EACH, FIXED = 400, 64_000_000  # bytes of memory for a byte of the file, and at all
Place = tuple[str, tuple[str | int, ...]]


def TestOneInput(data: bytes) -> None:
    """Grow the field, parse the folder, and look at the peak of memory."""
    if len(data) < 4:
        return
    files, chosen = dict(built(checkpoint)), int.from_bytes(data[:2], "big")
    text = data[3:].decode("utf-8", "replace")
    times = 1 + data[2] * (LARGEST // 256) // len(text)
    places = list(_places(files))
    name, pointer = places[chosen % len(places)]
    files[name] = _grown(json.loads(files[name]), pointer, text, times)
    with tempfile.TemporaryDirectory() as folder:
        for each, held in files.items():
            Path(folder, each).write_bytes(held)
        tracemalloc.start()
        try:
            parse(Path(folder))
        except (UnreadableError, UsageError):
            pass
        finally:
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
    size = sum(map(len, files.values()))
    assert peak <= EACH * size + FIXED, f"{name} {pointer}: {peak:,} bytes for {size:,}"


def _places(files: dict[str, bytes]) -> Iterator[Place]:
    """Every field of the files of settings, the containers too."""
    for name in sorted(each for each in files if each.endswith(".json")):
        yield from ((name, pointer) for pointer in _pointers(json.loads(files[name]), ()))


def _pointers(value: Any, here: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    yield here
    if isinstance(value, dict):
        inner: Any = list(value.items())[:8]
    else:
        inner = list(enumerate(value))[:2] if isinstance(value, list) else ()
    for key, each in inner:
        yield from _pointers(each, (*here, key))


def _grown(document: Any, pointer: tuple[str | int, ...], text: str, times: int) -> bytes:
    """The file with the field grown in its own type: a list longer, an object with more keys."""
    *above, last = pointer or ("",)
    holder = document
    for key in above:
        holder = holder[key]
    value = holder[last] if pointer else document
    match value:
        case dict():
            value.update({f"{text}{number}": number for number in range(min(times, 20_000))})
        case list():
            value.extend([*value[:1], text] * min(times, 20_000))
        case str() if pointer:
            holder[last] = value + text * times
        case _ if pointer:
            holder[last] = text * times
    return json.dumps(document).encode("utf-8", "replace")


if __name__ == "__main__":
    from tokaudit_fuzz.oss_fuzz.running import fuzz

    fuzz(TestOneInput)
