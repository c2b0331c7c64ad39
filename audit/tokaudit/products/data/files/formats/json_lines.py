"""JSON lines of ids, plain or compressed: objects with `input_ids` and the like, or bare lists."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.data.files import DataFormat, Piece, Shard
from tokaudit.products.data.files.batch import Batch, Fault, HoldsNoIds, ShardInfo
from tokaudit.products.data.files.files import HEAD, DataFile, IdDescription
from tokaudit.products.data.files.records import Names, RowBatches, names_of, refuse_missing
from tokaudit.products.data.files.unpacking import SUFFIXES, bare_name, unpacked
from tokaudit.subject.id_columns import IDS

LINES = (".jsonl", ".ndjson", ".json")
LONGEST = 64 << 20  # bytes of a line
BYTES_OF_A_PIECE = 64 << 20
LOOKED_AT = 8  # lines, for one that shows what they hold


@dataclass(frozen=True)
class LineShard:
    """The lines of one file; a compressed one is a single piece, read in order."""

    info: ShardInfo
    file: DataFile
    names: Names

    def pieces(self) -> Sequence[Piece]:
        """Split into fixed numbers of bytes; a line belongs to the piece where it begins."""
        if self.file.path.name.endswith(SUFFIXES):
            return [Piece(0, -1)]
        size = self.file.size
        step = BYTES_OF_A_PIECE
        return [Piece(start, min(start + step, size)) for start in range(0, size, step)]

    def batches(self, piece: Piece, separator: int | None) -> Iterator[Batch]:
        """Yield the rows of a piece, counted from the beginning of the file."""
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
                found = None
                try:
                    found = row(line)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    batches.fault("line", "the line is not JSON with ids")
                yield found


def _reached(lines: io.BufferedReader, start: int, file: DataFile) -> int:
    """Seek the first line at or after an offset, and return the number of rows before."""
    count = 0
    while start and lines.tell() < start:
        count += bool(_line(lines, file).strip())
    return count


def _line(lines: io.BufferedReader, file: DataFile) -> bytes:
    line = lines.readline(LONGEST)
    if len(line) == LONGEST:
        raise UnreadableError(
            f"{file.name}: a line is longer than {LONGEST >> 20} MB, the most that tokaudit reads"
        )
    return line


def row(line: bytes) -> dict[str, Any]:
    """Parse a line as a row; a bare list is one of ids."""
    value = msgspec.json.decode(line.removeprefix(codecs.BOM_UTF8))
    if isinstance(value, list):
        return {"input_ids": value}
    if not isinstance(value, dict):
        raise msgspec.ValidationError("neither an object nor a list")
    return value


def opened(file: DataFile, given: IdDescription) -> Shard:
    """Open the lines by the names of the first row with ids; raise if there is none."""
    names = _names(file, given.columns)
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


def _names(file: DataFile, given: Sequence[tuple[str, str]]) -> Names:
    """Return the names of the first row with ids; the very first row may be broken."""
    rows, broken = _first_rows(file)
    for each in rows:
        if (names := names_of(each, given)).hold_ids:
            refuse_missing(file.name, each, given)
            return names
    if rows or not any(names_of(_keys(line), given).hold_ids for line in broken):
        there = ", ".join(list(rows[0])[:9]) if rows else ""
        raise HoldsNoIds(f"{file.name}: {_what_it_has(there)}")
    raise UnreadableError(f"{file.name}: its first line is not JSON")


def _what_it_has(there: str) -> str:
    """Describe the names that the lines have instead of ids.

    >>> _what_it_has("text")
    'its lines have the keys text; ids are expected under one of input_ids, tokens, token_ids, ids'
    """
    has = f"its lines have the keys {there}" if there else "the file does not have one row per line"
    return f"{has}; ids are expected under one of {', '.join(IDS)}"


def _first_rows(file: DataFile) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return the first valid rows, and lines that are not JSON."""
    rows: list[dict[str, Any]] = []
    broken: list[bytes] = []
    with unpacked(file) as lines:
        while len(rows) + len(broken) < LOOKED_AT and (line := _line(lines, file)):
            bare = line.removeprefix(codecs.BOM_UTF8).strip()
            if bare in (b"{", b"["):
                return [], []
            try:
                rows += [_looked_at(line)] if bare else []
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                broken.append(line)
    return rows, broken


def _looked_at(line: bytes) -> dict[str, Any]:
    """Parse a line as a row; empty if it is a list of something else."""
    found = row(line)
    values = found.get("input_ids")
    bare = line.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    return {} if bare and values and type(values[0]) is not int else found


def _cut_off(file: DataFile) -> Iterator[Fault]:
    """Report a last line without a line end and without an end of its value."""
    if file.path.name.endswith(SUFFIXES) or not file.size:
        return
    last = file.read(max(0, file.size - 1), 1)
    if last not in b"\n]}":
        yield Fault("cut off", "the last line breaks off", file.name)


def _recognised(file: DataFile, head: bytes) -> bool:
    if not bare_name(file).endswith(LINES):
        return False
    first = head.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    return file.path.name.endswith(SUFFIXES) or first in (b"{", b"[")


def _keys(line: bytes) -> list[str]:
    """Return the quoted names in a line that is cut short."""
    text = line[:HEAD].decode("utf-8", "replace")
    return ["input_ids"] if text.lstrip().startswith("[") else text.split('"')[1::2]


DATA_FORMAT = DataFormat("jsonl", 5, LINES, _recognised, opened)
