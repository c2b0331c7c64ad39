"""Strategies for files that were changed: by their structure where it is known, else by bytes."""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from tokaudit_fuzz.sample import Files

Path = tuple[Any, ...]

OTHER_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    5,
    2**31,
    2**40,
    2**64,
    10**400,
    1.5,
    float("nan"),
    1e308,
    "",
    "x",
    "<0x41>",
    "\ud800",
    "\u202e",
    "::error::",
    "[^\\s]+|(?i:'s)",
    "(a|b",
    "{% for x in",
    "{{ 9**9**9 }}",
    "a" * 300,
    [],
    {},
    [[]],
    [None],
    ["a", "b"],
    {"a": 0},
    {"content": "<x>"},
    {"Regex": "\\s+"},
    {"type": "Sequence"},
)
OTHER_BYTES = (
    b"",
    b"\0",
    b"\xff",
    b"\r\n",
    b"\n\n",
    b" ",
    b"0",
    b"-1",
    b"9" * 30,
    b'"',
    b"{",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\xe2\x96\x81",
)
LENGTHS = (0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)


@st.composite
def changed_files(draw: st.DrawFn, files: Files, most: int = 2) -> Files:
    """The same files with one to `most` changes; now and then one is missing or another's."""
    changed = dict(files)
    for _ in range(draw(st.integers(1, most))):
        name = draw(st.sampled_from(list(files)))
        way = draw(st.sampled_from([*ways(name), *ways(name), changed_bytes, emptied]))
        changed[name] = draw(way(changed[name]))
    return changed


Way = Callable[[bytes], st.SearchStrategy[bytes]]


def ways(name: str) -> list[Way]:
    """How a file may be changed, by what its name says that it is."""
    if name.endswith(".json"):
        return [changed_json]
    if name.endswith((".txt", ".tiktoken", ".jinja")) or name == "small.model":
        return [changed_lines]
    if name.endswith(".safetensors"):
        return [changed_header]
    return [changed_frame] if name.endswith(".frame") else [changed_numbers]


def emptied(_: bytes) -> st.SearchStrategy[bytes]:
    """Nothing at all."""
    return st.just(b"")


@st.composite
def changed_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """The same with one to three slices replaced."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        length = draw(st.sampled_from([0, 1, 1, 2, 8, len(data)]))
        new = draw(st.sampled_from(OTHER_BYTES) | st.binary(min_size=1, max_size=4))
        data = data[:start] + new + data[start + length :]
    return data


@st.composite
def changed_lines(draw: st.DrawFn, data: bytes) -> bytes:
    """The same with a line left out, given twice, put elsewhere, or changed."""
    lines = data.split(b"\n")
    at, to = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.sampled_from(["drop", "repeat", "swap", "change", "join"])):
        case "drop":
            del lines[at]
        case "repeat":
            lines[at:at] = [lines[at]] * draw(st.sampled_from([1, 2, 50]))
        case "swap":
            lines[at], lines[to] = lines[to], lines[at]
        case "join":
            lines[at : at + 2] = [b" ".join(lines[at : at + 2])]
        case _:
            lines[at] = draw(changed_bytes(lines[at]))
    return b"\n".join(lines)


@st.composite
def changed_numbers(draw: st.DrawFn, data: bytes) -> bytes:
    """The same with a length or number of a binary format replaced, or a part given twice."""
    at = draw(st.integers(0, max(0, len(data) - 8)))
    if draw(st.booleans()):
        number = draw(st.sampled_from(LENGTHS) | st.integers(0, 300))
        return data[:at] + struct.pack("<Q", number) + data[at + 8 :]
    length = draw(st.integers(1, 40))
    return data[: at + length] + data[at:]


@st.composite
def changed_header(draw: st.DrawFn, data: bytes) -> bytes:
    """A safetensors file with another header, of the length that it then has or of another."""
    try:
        (length,) = struct.unpack("<Q", data[:8])
        header = draw(changed_json(data[8 : 8 + length]))
    except struct.error:
        return draw(changed_bytes(data))
    claimed = draw(st.just(len(header)) | st.sampled_from(LENGTHS))
    return struct.pack("<Q", claimed) + header + data[8 + length :]


@st.composite
def changed_frame(draw: st.DrawFn, data: bytes) -> bytes:
    """A frame of another message, of the length that it then has or of another."""
    body = draw(changed_json(data[4:]))
    claimed = draw(st.just(len(body)) | st.sampled_from([n % 2**32 for n in LENGTHS]))
    return struct.pack(">I", claimed) + body


@st.composite
def changed_json(draw: st.DrawFn, data: bytes) -> bytes:
    """The same JSON with a value replaced, left out, given twice, moved, or nested in itself."""
    try:
        value = json.loads(data)
    except ValueError:
        return draw(changed_bytes(data))
    for _ in range(draw(st.integers(1, 2))):
        value = draw(_changed_value(value))
    text = json.dumps(value, ensure_ascii=draw(st.booleans()))
    return text.encode("utf-8", "surrogatepass")


@st.composite
def _changed_value(draw: st.DrawFn, value: Any) -> Any:
    every = list(places(value))
    at = draw(st.sampled_from(every))
    old = _at(value, at)
    match draw(st.sampled_from(["other", "other", "copy", "key", "drop", "long", "deep"])):
        case "copy":
            new = copy.deepcopy(_at(value, draw(st.sampled_from(every))))
        case "key" if isinstance(old, dict):
            new = {**old, draw(st.sampled_from(["", "type", "content", "\ud800", "a/b~"])): 0}
        case "drop" if isinstance(old, dict | list) and old:
            new = copy.copy(old)
            del new[draw(st.sampled_from(list(old) if isinstance(old, dict) else range(len(old))))]
        case "long" if isinstance(old, list) and old:
            new = old * draw(st.sampled_from([2, 20]))
        case "deep":
            new = old
            for _ in range(draw(st.sampled_from([1, 3, 200]))):
                new = draw(st.sampled_from([[new], {"pretokenizers": [new], "type": "Sequence"}]))
        case _:
            new = draw(st.sampled_from(OTHER_VALUES) | st.text(max_size=6) | st.integers())
    return changed_at(value, at, new)


def places(value: Any, above: Path = (), alike: int = 8) -> Iterator[Path]:
    """The path of every value, few of those that are alike."""
    yield above
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        items = list(value.items() if isinstance(value, dict) else enumerate(value))
    if len(above) < 12:
        for key, child in [*items[:alike], *items[alike:][-2:]]:
            yield from places(child, (*above, key))


def _at(value: Any, place: Path) -> Any:
    for step in place:
        value = value[step]
    return value


def changed_at(value: Any, place: Path, new: object) -> Any:
    """The same value but for what is at one place."""
    if not place:
        return new
    changed = copy.copy(value)
    changed[place[0]] = changed_at(value[place[0]], place[1:], new)
    return changed
