"""Read a torch checkpoint (`.bin`, `.pt`, `.pth`) without torch, and without running it.

Since torch 1.6 it is a zip archive: `NAME/data.pkl` describes the tensors, `NAME/data/KEY` holds
the numbers of each storage, not packed.  Before that, it was four pickles in a row (a magic number,
a version, what the machine was, the tensors), a list of keys, and each storage with its length
before it.  An archive of tar, which is older still, is refused.
"""

from __future__ import annotations

import io
import math
import struct
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.placed_file import PlacedFile
from tokaudit.subject.content import Content
from tokaudit.subject.material import SourceFile
from tokaudit.subject.sniff import LEGACY_TORCH, ZIP
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights.safetensors import BITS
from tokaudit.subject.weights.torch_pickle import read_pickle
from tokaudit.subject.weights.torch_records import UNTYPED, SavedTensor

LARGEST_PICKLE = 64_000_000  # bytes
LARGEST_DIRECTORY = 8_000_000  # bytes; an archive of ten thousand storages has 1 MB
DEEPEST = 4  # dictionaries in one another: a training state has its weights under `state_dict`
MOST_ENTRIES = 200_000
MOST_STORAGES = 100_000


@dataclass(frozen=True, slots=True)
class Passage:
    """The offset of a storage's numbers in the file."""

    start: int
    size: int  # bytes


def torch_tensors(file: SourceFile) -> dict[str, Tensor]:
    """Return the tensors of a checkpoint by name.

    Raises `UnreadableError`, which begins with the file's name, for a file that torch did not write
    so, that holds anything but tensors, or whose statements contradict one another.
    """
    try:
        saved, passages = _archive(file.content) if _is_zip(file) else _legacy(file.content)
    except UnreadableError as error:
        raise type(error)(f"{file.name}: {error}") from error
    named = dict(_named(saved))
    return {name: _described(file, name, tensor, passages) for name, tensor in named.items()}


def _is_zip(file: SourceFile) -> bool:
    return file.content.elsewhere(0, len(ZIP)) == ZIP


def _archive(content: Content) -> tuple[Any, Mapping[str, Passage]]:
    try:
        archive = zipfile.ZipFile(_Elsewhere(content))
    except (zipfile.BadZipFile, struct.error, ValueError, NotImplementedError) as error:
        raise UnreadableError(f"is not a complete zip archive: {error}") from error
    entries = {entry.filename: entry for entry in archive.infolist()}
    pickles = [name for name in entries if name.count("/") == 1 and name.endswith("/data.pkl")]
    if len(pickles) != 1:
        raise UnreadableError("is a zip archive that torch did not write: no NAME/data.pkl")
    place = _entry(content, entries[pickles[0]])
    if place.size > LARGEST_PICKLE:
        raise UnreadableError(f"has a pickle of {place.size:,} bytes; at most 64 MB are read")
    saved = read_pickle(io.BytesIO(content.elsewhere(place.start, place.size)))
    stem = pickles[0].removesuffix("data.pkl") + "data/"
    held = {name.removeprefix(stem): e for name, e in entries.items() if name.startswith(stem)}
    return saved, {key: _entry(content, entry) for key, entry in held.items()}


def _entry(content: Content, entry: zipfile.ZipInfo) -> Passage:
    """Return the offset of an entry's bytes, after its own header of variable length."""
    if entry.compress_type != zipfile.ZIP_STORED or entry.flag_bits & 1:
        raise UnreadableError(
            f"has the compressed or encrypted entry {entry.filename[:80]!r}; torch.save writes "
            "neither"
        )
    head = content.elsewhere(entry.header_offset, 30)
    if len(head) < 30 or not head.startswith(ZIP):
        raise UnreadableError(
            f"has no data at the place that its directory states for {entry.filename[:80]!r}"
        )
    name, extra = struct.unpack("<HH", head[26:])
    return _inside(content, entry.header_offset + 30 + name + extra, entry.file_size)


def _inside(content: Content, start: int, size: int) -> Passage:
    if start + size > content.size:
        raise UnreadableError(
            f"ends at byte {content.size:,}, but its tensors extend to byte {start + size:,}"
        )
    return Passage(start, size)


def _legacy(content: Content) -> tuple[Any, Mapping[str, Passage]]:
    data = io.BytesIO(content.elsewhere(0, min(content.size, LARGEST_PICKLE)))
    if data.getvalue()[: len(LEGACY_TORCH)] != LEGACY_TORCH:
        raise UnreadableError("is not a file that torch.save writes")
    _magic, _version, machine = (read_pickle(data) for _ in range(3))
    if not isinstance(machine, dict) or machine.get("little_endian") is not True:
        raise UnreadableError(
            "does not state little-endian values, the only ones that tokaudit reads"
        )
    saved, keys = read_pickle(data), read_pickle(data)
    return saved, dict(_in_a_row(content, keys, saved, data.tell()))


def _in_a_row(content: Content, keys: Any, saved: Any, at: int) -> Iterator[tuple[str, Passage]]:
    """Yield each storage: eight bytes that count its numbers, then the numbers."""
    storages = {tensor.storage.key: tensor.storage for _, tensor in _named(saved)}
    if not isinstance(keys, list) or len(keys) > MOST_STORAGES:
        raise UnreadableError("has no list of its storages")
    for key in keys:
        storage = storages.get(key) if isinstance(key, str) else None
        if storage is None:
            raise UnreadableError("lists a storage that no tensor uses")
        count = int.from_bytes(content.elsewhere(at, 8), "little")
        if count != storage.count:
            raise UnreadableError(
                f"has a storage of {count:,} values, which its pickle describes with "
                f"{storage.count:,}"
            )
        passage = _inside(content, at + 8, count * _width(storage.dtype))
        yield key, passage
        at = passage.start + passage.size


def _named(saved: Any) -> Iterator[tuple[str, SavedTensor]]:
    """Yield the tensors of nested dictionaries, each with the keys that lead to it."""
    waiting, seen = deque([("", saved, 0)]), 0
    while waiting:
        name, value, depth = waiting.popleft()
        if isinstance(value, SavedTensor):
            yield name, value
        elif isinstance(value, dict) and depth < DEEPEST:
            seen += len(value)  # of all, as one dictionary may lie in many
            if seen > MOST_ENTRIES:
                raise UnreadableError(
                    f"contains more than {MOST_ENTRIES:,} entries, the most that tokaudit reads"
                )
            inside = ((f"{name}.{key}".lstrip("."), each) for key, each in value.items())
            waiting.extend((path, each, depth + 1) for path, each in inside)


def _described(
    file: SourceFile, name: str, tensor: SavedTensor, passages: Mapping[str, Passage]
) -> Tensor:
    """Describe one tensor; its numbers have an offset if they are contiguous in the file."""
    passage, width = passages.get(tensor.storage.key), _width(tensor.dtype)
    count = math.prod(tensor.shape)
    if passage is None:
        raise UnreadableError(f"{file.name}: the values of tensor {name[:80]!r} are missing")
    last = tensor.start + sum(
        (n - 1) * by for n, by in zip(tensor.shape, tensor.strides, strict=True)
    )
    if count and (last + 1) * width > passage.size:
        raise UnreadableError(
            f"{file.name}: tensor {name[:80]!r} needs more values than its storage holds"
        )
    placed = count > 0 and _in_rows(tensor)
    start = passage.start + tensor.start * width if placed else None
    return Tensor(tensor.dtype, tensor.shape, file.name, count * width, start)


def _in_rows(tensor: SavedTensor) -> bool:
    """Return whether the rows are contiguous."""
    expected = 1
    for length, stride in zip(reversed(tensor.shape), reversed(tensor.strides), strict=True):
        if length > 1 and stride != expected:
            return False
        expected *= length
    return True


def _width(dtype: str) -> int:
    return 1 if dtype == UNTYPED else BITS[dtype] // 8


class _Elsewhere(PlacedFile):
    """The file for `zipfile`, which reads its end first; each read is bounded."""

    def __init__(self, content: Content) -> None:
        super().__init__()
        self._content = content

    def size(self) -> int:
        """Return the size in the subject."""
        return self._content.size

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._content.size - self.at)
        wanted = left if size < 0 else min(size, left)
        if wanted > LARGEST_DIRECTORY:
            raise UnreadableError(f"has a zip directory of {wanted:,} bytes; at most 8 MB are read")
        data = self._content.elsewhere(self.at, wanted)
        self.at += len(data)
        return data
