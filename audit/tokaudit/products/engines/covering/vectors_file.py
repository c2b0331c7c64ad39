"""What a vectors file holds: texts with what the reference gives for them, in plain JSON.

No line needs anything of ours to be read: `ids` are those without special tokens around the text,
`with_special` those with them where they differ, `decoded` what the ids become again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.foundation.typed_values import read_json

SCHEMA = "tokaudit.vectors/1"
LARGEST = 64 * 1024 * 1024  # bytes of a file that is replayed
MOST_LINES = 100_000


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One text with its ids; `with_special` and `decoded` are left out where nothing is to say."""

    about: str
    text: str
    ids: list[int]
    with_special: list[int] | None = None
    decoded: str | None = None


class Vectors(msgspec.Struct, frozen=True):
    """A file: for which tokenizer, made by what, and the lines with their digest."""

    schema: str
    tokenizer: str
    id: str
    made_by: str
    digest: str
    lines: list[Line]


MOST_SHOWN = 200  # characters of an answer


@dataclass(frozen=True)
class FailedLine:
    """A line that a runtime does not give as the file has it."""

    number: int
    line: Line
    what: str  # ids, with_special, decoded, or refused
    got: str

    def in_words(self) -> str:
        """The line, with at most 200 characters of either answer around the first difference."""
        wanted = {
            "ids": str(self.line.ids),
            "with_special": str(self.line.with_special or self.line.ids),
            "decoded": repr(self.line.decoded),
        }.get(self.what, "")
        expected, got = around_difference(wanted, self.got)
        shown, _ = around_difference(repr(self.line.text), "")
        said = f"{got}, expected {expected}" if wanted else got
        return f"line {self.number}, {self.line.about}, {self.what}: {shown}: {said}"


def around_difference(one: str, other: str) -> tuple[str, str]:
    """Both texts, cut to `MOST_SHOWN` characters around the first place where they differ.

    >>> left, right = around_difference("a" * 500 + "b", "a" * 500 + "c")
    >>> left[:3], left[-1], right[-1], len(left) <= MOST_SHOWN
    ('...', 'b', 'c', True)
    """
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    return _cut(one, at), _cut(other, at)


def _cut(text: str, at: int) -> str:
    if len(text) <= MOST_SHOWN:
        return text
    room = MOST_SHOWN - 2 * len("...")
    start = max(0, min(at - room // 2, len(text) - room))
    before, after = "..." * (start > 0), "..." * (start + room < len(text))
    return f"{before}{text[start : start + room]}{after}"


def digest_of(lines: Sequence[Line]) -> str:
    """The digest of the lines, whatever spaces a file writes between them.

    >>> digest_of([])[:8]
    '4f53cda1'
    """
    return hashlib.sha256(json_bytes(list(lines))).hexdigest()


def written(vectors: Vectors) -> str:
    """The file, a line of JSON for each text."""
    head = msgspec.to_builtins(vectors)
    lines = head.pop("lines")
    start = json_bytes(head).decode()[:-1]
    rows = ",\n".join(json_bytes(line).decode() for line in lines)
    return f'{start},"lines":[\n{rows}\n]}}\n'


def read(data: bytes, name: str) -> Vectors:
    """The vectors of a file; raises `UsageError` for any other file and for one that was edited."""
    try:
        found = read_json(data, Vectors)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{name} holds no vectors: {error}") from error
    if found.schema != SCHEMA or len(found.lines) > MOST_LINES:
        raise UsageError(f"{name} holds no vectors of {SCHEMA}")
    if digest_of(found.lines) != found.digest:
        raise UsageError(f"{name}: the lines do not have the digest that the file states")
    return found
