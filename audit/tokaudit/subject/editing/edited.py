"""Carries out one change on the bytes of one file, and refuses what does not fit the file."""

from __future__ import annotations

import json

from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.repair import Change, ChangeKind
from tokaudit.subject.editing.json_text import with_value, without_value
from tokaudit.subject.places.pointers import LINE

TEXT = ".jinja"  # a file that is one value, and no JSON


def edited(data: bytes, change: Change) -> bytes | None:
    """The bytes after a change, None where the file is to go.

    Raises `UnreadableError` where the pointer leads nowhere, or the file cannot be changed.
    """
    if change.kind is ChangeKind.REMOVE and not change.pointer:
        return None
    if LINE.fullmatch(change.pointer):
        return _lines(data, change)
    if change.file.endswith(TEXT) and change.kind is ChangeKind.SET and not change.pointer:
        return str(change.wanted).encode("utf-8", "surrogateescape")
    mark, text = _decoded(data, change)
    if change.kind is ChangeKind.REMOVE:
        return mark + without_value(text, change.pointer).encode()
    return mark + with_value(text, change.pointer, change.wanted).encode("utf-8", "replace")


def _decoded(data: bytes, change: Change) -> tuple[bytes, str]:
    """The byte order mark, and the text after it."""
    if not change.file.endswith(".json") or change.pointer[:1] not in ("", "/"):
        raise UnreadableError(f"{change.file}: is not changed here: {change.pointer or 'the file'}")
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    try:
        text = data[len(mark) :].decode("utf-8")
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{change.file}: is not JSON: {error}") from error
    return mark, text


def _lines(data: bytes, change: Change) -> bytes:
    found = LINE.fullmatch(change.pointer)
    at = int(found[1]) - 1 if found else 0
    lines = data.split(b"\n")
    if at >= len(lines):
        raise UnreadableError(f"{change.file}: has no line {at + 1}")
    new = str(change.wanted).encode("utf-8", "surrogateescape")
    if change.kind is ChangeKind.REMOVE:
        del lines[at]
    elif change.kind is ChangeKind.ADD:
        lines.insert(at, new)
    else:
        lines[at] = new + (b"\r" if lines[at].endswith(b"\r") else b"")
    return b"\n".join(lines)
