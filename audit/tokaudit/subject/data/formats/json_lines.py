"""JSON lines of ids, plain or compressed: objects with `input_ids` and the like, or bare lists."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.data import DataFormat, Piece, Shard
from tokaudit.subject.data.batch import Batch, Fault, ShardInfo
from tokaudit.subject.data.files import DataFile, IdDescription
from tokaudit.subject.data.records import Names, RowBatches, names_of
from tokaudit.subject.data.unpacking import SUFFIXES, bare_name, unpacked

LINES = (".jsonl", ".ndjson", ".json")
LONGEST = 64 << 20  # bytes of a line
BYTES_OF_A_PIECE = 64 << 20


@dataclass(frozen=True)
class LineShard:
    """The lines of one file; a compressed one is one piece, since it can only be read in order."""

    info: ShardInfo
    file: DataFile
    names: Names

    def pieces(self) -> Sequence[Piece]:
        """Fixed numbers of bytes; a line is of the piece in which it begins."""
        if self.file.path.name.endswith(SUFFIXES):
            return [Piece(0, -1)]
        size = self.file.size
        step = BYTES_OF_A_PIECE
        return [Piece(start, min(start + step, size)) for start in range(0, size, step)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """The rows of a piece; they are counted from the beginning of the file."""
        with unpacked(self.file) as lines:
            first = _reached(lines, piece.start, self.file)
            rows = RowBatches(self.file.name, self.names, first, first)
            yield from rows.take(self._rows(lines, piece, rows))

    def _rows(
        self, lines: io.BufferedReader, piece: Piece, batches: RowBatches
    ) -> Iterator[dict[str, Any] | None]:
        while piece.stop < 0 or lines.tell() < piece.stop:
            line = _line(lines, self.file)
            if not line:
                return
            if line.strip():
                yield self._row(line, batches)

    def _row(self, line: bytes, batches: RowBatches) -> dict[str, Any] | None:
        try:
            return row(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            batches.fault("line", "the line is not JSON with ids")
            return None


def _reached(lines: io.BufferedReader, start: int, file: DataFile) -> int:
    """Go to the first line that begins at a place or after it; says how many rows are before."""
    count = 0
    while start and lines.tell() < start:
        count += bool(_line(lines, file).strip())
    return count


def _line(lines: io.BufferedReader, file: DataFile) -> bytes:
    line = lines.readline(LONGEST)
    if len(line) == LONGEST:
        raise UnreadableError(f"{file.name}: a line has more than {LONGEST >> 20} MB")
    return line


def row(line: bytes) -> dict[str, Any]:
    """A line as a row; a bare list is one of ids."""
    value = msgspec.json.decode(line)
    if isinstance(value, list):
        return {"input_ids": value}
    if not isinstance(value, dict):
        raise msgspec.ValidationError("neither an object nor a list")
    return value


def first_row(file: DataFile) -> dict[str, Any]:
    """The first row of a file, to see what it holds; empty where it is none."""
    with unpacked(file) as lines:
        line = _line(lines, file)
    try:
        return row(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}


def opened(file: DataFile, given: IdDescription) -> Shard:
    """The lines; raises `UnreadableError` where the first holds no ids."""
    names = names_of(first_row(file))
    if not names.hold_ids:
        raise UnreadableError(f"{file.name}: its first line holds no ids, such as input_ids")
    info = ShardInfo(
        file.name,
        "jsonl",
        "",
        -1,
        -1,
        file.size,
        (file.name,),
        rollout=bool(names.response),
        faults=tuple(_cut_off(file)),
    )
    return LineShard(info, file, names)


def _cut_off(file: DataFile) -> Iterator[Fault]:
    """A last line without an end of line and without an end of its value."""
    if file.path.name.endswith(SUFFIXES) or not file.size:
        return
    last = file.read(max(0, file.size - 1), 1)
    if last not in b"\n]}":
        yield Fault("cut off", "the last line breaks off", file.name)


def _recognised(file: DataFile, head: bytes) -> bool:
    if not bare_name(file).endswith(LINES):
        return False
    if file.path.name.endswith(SUFFIXES):
        return True
    first = head.lstrip()[:1]
    return first in (b"{", b"[") and names_of(_keys(head)).hold_ids


def _keys(head: bytes) -> list[str]:
    """The names in quotes at the beginning of a file."""
    text = head.decode("utf-8", "replace")
    return ["input_ids"] if text.lstrip().startswith("[") else text.split('"')[1::2]


DATA_FORMAT = DataFormat("jsonl", 5, LINES, _recognised, opened)
