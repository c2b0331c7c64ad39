"""Rows of a data file with their positions: JSON lines, a JSON document, or Parquet.

JSON lines and Parquet are read as they are asked for, so that memory stays flat however long the
file is; JSON in one piece has to fit.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.extras import imported
from tokaudit.subject.sources import regular

MEGABYTE = 1 << 20
LONGEST_LINE, LARGEST_DOCUMENT = 64 * MEGABYTE, 512 * MEGABYTE
PARQUET, BOM = b"PAR1", b"\xef\xbb\xbf"
SPACE = " \t\r\n"
AT_ONCE = 256  # rows of Parquet
Placed = tuple[str, Any]
decode = msgspec.json.Decoder().decode


def rows(path: Path) -> Iterator[Placed]:
    """Yield each row with its position, as `line 3`, `item 3` or `row 3`."""
    with io.BufferedReader(regular(path, str(path))) as opened:  # type: ignore[type-var]
        if opened.peek(len(PARQUET))[: len(PARQUET)] == PARQUET:
            yield from _of_parquet(opened, path)
            return
        first = _line(opened, path, 1)
        while first and not first.strip():
            first = _line(opened, path, 1)
        if _is_json(first):
            yield from _of_lines(opened, path, first)
        else:
            yield from _of_document(opened, path, first)


def _line(opened: BinaryIO, path: Path, number: int) -> bytes:
    line = opened.readline(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise UnreadableError(
            f"{path}:{number}: this line is longer than {LONGEST_LINE // MEGABYTE} MB"
        )
    return line.removeprefix(BOM) if number == 1 else line


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _of_lines(opened: BinaryIO, path: Path, first: bytes) -> Iterator[Placed]:
    """Yield rows of JSON lines; a list of rows on the first line is a whole file."""
    value = json.loads(first)
    if isinstance(value, list) and not _are_messages(value):
        yield from ((f"item {number}", each) for number, each in enumerate(value, 1))
    else:
        yield "line 1", value
    number = 1
    while line := _line(opened, path, number := number + 1):
        if line.strip():
            yield f"line {number}", _value(line, path, number)


def _are_messages(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(each, dict) and "role" in each for each in value)


def _value(line: bytes, path: Path, number: int) -> Any:
    try:
        return decode(line)
    except msgspec.DecodeError:
        pass  # NaN, say, which Python writes and reads
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        what = f"{path}:{number}: is not JSON: {error}; write one object a line"
        raise UnreadableError(what) from error


def _of_document(opened: BinaryIO, path: Path, first: bytes) -> Iterator[Placed]:
    """Yield rows of multi-line JSON: one list, one object, or several objects."""
    data = first + opened.read(LARGEST_DOCUMENT + 1)
    if len(data) > LARGEST_DOCUMENT:
        most = LARGEST_DOCUMENT // MEGABYTE
        raise UnreadableError(
            f"{path}: is JSON of more than {most} MB; write one conversation per line instead"
        )
    try:
        text, at, number = data.decode("utf-8").lstrip(SPACE), 0, 0
        while at < len(text):
            value, end = json.JSONDecoder().raw_decode(text, at)
            at = end + len(text[end:]) - len(text[end:].lstrip(SPACE))
            listed = value if isinstance(value, list) and not _are_messages(value) else [value]
            for each in listed:
                number += 1
                yield f"item {number}", each
    except json.JSONDecodeError as error:
        raise UnreadableError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise UnreadableError(f"{path}: is not JSON: {error}") from error


def _of_parquet(opened: BinaryIO, path: Path) -> Iterator[Placed]:
    """Yield the rows of a Parquet file in batches, without null members of messages."""
    parquet = imported("pyarrow.parquet", "parquet")
    number = 0
    try:
        for batch in parquet.ParquetFile(opened, pre_buffer=False).iter_batches(AT_ONCE):
            for row in batch.to_pylist():
                number += 1
                yield f"row {number}", _without_null(row)
    except (OSError, ValueError, NotImplementedError) as error:
        raise UnreadableError(f"{path}: cannot be read as Parquet: {error}") from error


def _without_null(value: Any) -> Any:
    """Return a row without its nulls: its columns have the keys of all rows."""
    if isinstance(value, dict):
        return {key: _without_null(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_null(each) for each in value]
    return value
