"""Sound small files in which one field has become long: a text, a list, an object, a line.

The fields are found and not listed: every leaf and branch of JSON, every field of a protobuf, every
key of a GGUF file, and lines where a file is text.
"""

from __future__ import annotations

import copy
import itertools
import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tokaudit_fuzz.sample import Files, written
from tokaudit_fuzz.samples import SAMPLES, built, checkpoint

FILLING = "ab "
Path = tuple[str | int, ...]
Grow = Callable[[int], bytes]
LENGTHS = 2  # the wire type of protobuf whose value has a length


@dataclass(frozen=True)
class Growth:
    """One field of one file of a sample, and the file with so many bytes in that field."""

    format: str
    field: str
    files: Files
    name: str
    grow: Grow

    def of(self, size: int) -> Files:
        """All files, the one with the field grown."""
        return {**self.files, self.name: self.grow(size)}


def growths() -> Iterator[Growth]:
    """Every field of every sample."""
    samples = {**SAMPLES, "checkpoint": (checkpoint,)}
    for format, builds in samples.items():
        for build in builds:
            files = built(build)
            for name, data in files.items():
                for field, grow in _fields(name, data):
                    yield Growth(format, f"{name} {field}", files, name, grow)


def _fields(name: str, data: bytes) -> Iterator[tuple[str, Grow]]:
    if name.endswith((".model", ".spm")) and data[:1] == b"\n":
        yield from _of_protobuf(data)
    elif data[:4] == b"GGUF":
        yield from _of_gguf(data)
    elif name.endswith(".json"):
        yield from _of_json(json.loads(data))
    elif not name.endswith(".safetensors"):
        yield from _of_lines(data)


def _of_json(value: Any) -> Iterator[tuple[str, Grow]]:
    for path, one in _inside(value):
        at = "/" + "/".join(map(str, path))
        if isinstance(one, str):
            yield f"{at} long", partial(_with, value, path, _long)
        elif isinstance(one, list) and one:
            yield f"{at} equal entries", partial(_with, value, path, partial(_repeated, one))
            yield f"{at} entries", partial(_with, value, path, partial(_numbered, one))
        elif isinstance(one, dict) and one:
            yield f"{at} keys", partial(_with, value, path, partial(_keys, one))


def _inside(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value with its path, of a list and of an object only the last few entries."""
    yield path, value
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    for key, one in inner if len(inner) < 20 else inner[-1:]:
        yield from _inside(one, (*path, key))


def _with(value: Any, path: Path, make: Callable[[int], Any], size: int) -> bytes:
    """The JSON with another value at a path."""
    if not path:
        return written(make(size))
    changed = copy.deepcopy(value)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = make(size)
    return written(changed)


def _long(size: int) -> str:
    return (FILLING * (size // len(FILLING) + 1))[:size]


def _repeated(entries: list[Any], size: int) -> list[Any]:
    """As many equal entries as the bytes hold."""
    return [*entries, *[entries[-1]] * (size // (len(written(entries[-1])) + 2))]


def _numbered(entries: list[Any], size: int) -> list[Any]:
    """As many entries with other texts and numbers."""
    count = size // (len(written(entries[-1])) + 8)
    return [*entries, *(_another(entries[-1], number) for number in range(count))]


def _keys(entries: dict[str, Any], size: int) -> dict[str, Any]:
    key, value = next(reversed(entries.items()))
    count = size // (len(written({key: value})) + 8)
    more = {f"{key}{number}": _another(value, number) for number in range(count)}
    return {**entries, **more}


def _another(value: Any, number: int) -> Any:
    """A value like this one that is not it."""
    if isinstance(value, str):
        return f"{value}{number}"
    if isinstance(value, int) and not isinstance(value, bool):
        return value + 1 + number
    if isinstance(value, dict):
        return {key: _another(one, number) for key, one in value.items()}
    if isinstance(value, list):
        return [_another(one, number) for one in value]
    return value


def _of_lines(data: bytes) -> Iterator[tuple[str, Grow]]:
    lines = data.splitlines(keepends=True)
    last = lines[-1] if lines else b"a\n"
    last = last if last.endswith(b"\n") else last + b"\n"
    whole = data if data.endswith(b"\n") else data + b"\n"
    yield "equal lines", lambda size: whole + last * (size // len(last))
    yield "long line", lambda size: whole + _long(size).replace(" ", "a").encode() + last

    def numbered(size: int) -> bytes:
        count = size // (len(last) + 6)
        return whole + b"".join(b"%d%b" % (number, last) for number in range(count))

    yield "lines", numbered


def _of_protobuf(data: bytes) -> Iterator[tuple[str, Grow]]:
    """Each field with a length: once more as often as it fits, and with a long text in it."""
    fields = list(_messages(data))
    for number in sorted({number for number, wire, _ in fields if wire == LENGTHS}):
        last = [value for at, wire, value in fields if at == number and wire == LENGTHS][-1]
        record = _field(number, last)
        yield f"{number} equal", lambda size, r=record: data + r * (size // len(r))
        for inner in sorted({at for at, wire, _ in _messages(last) if wire == LENGTHS}):
            yield (
                f"{number}.{inner} long",
                lambda size, n=number, i=inner, v=last: (
                    data + _field(n, v + _field(i, _long(size).encode()))
                ),
            )


def _messages(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The fields of a message, those of fixed length with their bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == LENGTHS:
            length, at = _varint(data, at)
        elif key & 7 == 0:
            _, end = _varint(data, at)
            length = end - at
        else:
            length = {1: 8, 5: 4}.get(key & 7, len(data))
        yield key >> 3, key & 7, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data):
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            break
    return value, at


def _field(number: int, value: bytes) -> bytes:
    head = b""
    for one in (number << 3 | LENGTHS, len(value)):
        while one > 127:
            head, one = head + bytes([one & 127 | 128]), one >> 7
        head += bytes([one])
    return head + value


TEXT, LIST = 8, 9  # of GGUF's types


def _of_gguf(data: bytes) -> Iterator[tuple[str, Grow]]:
    """Each key with a text or a list of texts, grown in each way."""
    keys = dict(_gguf_keys(data))
    for key, (kind, value) in keys.items():
        if kind == TEXT:
            yield f"{key} long", partial(_gguf_with, keys, key, _long)
        elif kind == LIST:
            yield f"{key} equal entries", partial(_gguf_with, keys, key, partial(_repeated, value))
            yield f"{key} entries", partial(_gguf_with, keys, key, partial(_numbered, value))
            longer = lambda size, v=value: [*v, _long(size).replace(" ", "")]  # noqa: E731
            yield f"{key} long entry", partial(_gguf_with, keys, key, longer)


def _gguf_keys(data: bytes) -> Iterator[tuple[str, tuple[int, Any]]]:
    (count,) = struct.unpack_from("<Q", data, 16)
    at = 24

    def text() -> str:
        nonlocal at
        (length,) = struct.unpack_from("<Q", data, at)
        at += 8 + length
        return data[at - length : at].decode()

    for _ in range(count):
        key = text()
        (kind,) = struct.unpack_from("<I", data, at)
        at += 4
        if kind == TEXT:
            yield key, (kind, text())
        elif kind == LIST:
            (entries,) = struct.unpack_from("<Q", data, at + 4)
            at += 12
            yield key, (kind, [text() for _ in range(entries)])
        else:  # the samples have no others but flags
            yield key, (kind, data[at : at + 1])
            at += 1


def _gguf_with(
    keys: dict[str, tuple[int, Any]], grown: str, make: Callable[[int], Any], size: int
) -> bytes:
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    parts = [b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys))]
    for key, (kind, value) in keys.items():
        new = make(size) if key == grown else value
        parts += [text(key), struct.pack("<I", kind)]
        if kind == TEXT:
            parts.append(text(new))
        elif kind == LIST:
            parts += [struct.pack("<IQ", TEXT, len(new)), *map(text, new)]
        else:
            parts.append(new)
    return b"".join(parts)


def of_each_format() -> Iterator[Growth]:
    """The fields in turn of each format, so that the first of them are of different ones."""
    by_format: dict[str, list[Growth]] = {}
    for each in growths():
        by_format.setdefault(each.format, []).append(each)
    for row in itertools.zip_longest(*by_format.values()):
        yield from (each for each in row if each is not None)
