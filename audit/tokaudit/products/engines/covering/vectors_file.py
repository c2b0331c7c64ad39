"""Format of a vectors file: texts with the reference's results, in plain JSON.

No line needs anything of ours to be read: `ids` are those without special tokens around the text,
`with_special` those with them where they differ, `as_text` those where special tokens of the text
are taken as text, and `decoded` what the ids become again. `decodes` are ids with what they become.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.foundation.typed_values import read_json

SCHEMA = "tokaudit.vectors/2"
KNOWN = ("tokaudit.vectors/1", SCHEMA)
LARGEST = 64 * 1024 * 1024  # bytes of a file that is replayed
MOST_LINES = 100_000


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One text with its ids; `with_special` and `decoded` are optional."""

    about: str
    text: str
    ids: list[int]
    with_special: list[int] | None = None
    decoded: str | None = None
    as_text: list[int] | None = None


class Decode(msgspec.Struct, frozen=True):
    """Ids that hardly any text encodes to, with their decoded text."""

    about: str
    ids: list[int]
    decoded: str


class Vectors(msgspec.Struct, frozen=True):
    """A vectors file: its tokenizer, its maker, and the lines with their digest."""

    schema: str
    tokenizer: str
    id: str
    made_by: str
    digest: str
    lines: list[Line]
    decodes: list[Decode] = []


MOST_SHOWN = 200  # characters of an answer


@dataclass(frozen=True)
class FailedLine:
    """A line for which a runtime's result differs from the file's."""

    number: int
    line: Line | Decode
    what: str  # ids, with_special, as_text, decoded, streamed, or refused
    got: str
    minimal: str = ""  # a text that differs too, and that nothing can be taken from

    def in_words(self) -> str:
        """Describe the line, with at most 200 characters around the first difference."""
        line = self.line
        given = line.text if isinstance(line, Line) else line.ids
        wanted = self._expected(line)
        expected, got = around_difference(wanted, self.got)
        shown, _ = around_difference(repr(given), "")
        said = f"{got}, expected {expected}" if wanted else got
        kind = "line" if isinstance(line, Line) else "decode"
        least = f"; minimal: {around_difference(repr(self.minimal), '')[0]}" if self.minimal else ""
        return f"{kind} {self.number}, {line.about}, {self.what}: {shown}: {said}{least}"

    def _expected(self, line: Line | Decode) -> str:
        if self.what in ("decoded", "streamed"):
            return repr(line.decoded)
        if isinstance(line, Line) and self.what in ("with_special", "as_text"):
            return str(getattr(line, self.what) or line.ids)
        return str(line.ids) if self.what == "ids" else ""


def around_difference(one: str, other: str) -> tuple[str, str]:
    """Cut both texts to `MOST_SHOWN` characters around their first difference.

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


def digest_of(lines: Sequence[Line], decodes: Sequence[Decode] = ()) -> str:
    """Return the digest of lines and decodes, independent of white space in the file.

    >>> digest_of([])[:8]
    '4f53cda1'
    """
    return hashlib.sha256(json_bytes([*lines, *decodes])).hexdigest()


def written(vectors: Vectors) -> str:
    """Format the file, one line of JSON for each text and each list of ids."""
    head = msgspec.to_builtins(vectors)
    lines, decodes = (_rows(head.pop(key)) for key in ("lines", "decodes"))
    start = json_bytes(head).decode()[:-1]
    return f'{start},"lines":[\n{lines}\n],"decodes":[\n{decodes}\n]}}\n'


def _rows(found: list[object]) -> str:
    return ",\n".join(json_bytes(row).decode() for row in found)


def read(data: bytes, name: str) -> Vectors:
    """Read the vectors of a file; raise `UsageError` for another or an edited file."""
    try:
        found = read_json(data, Vectors)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise UsageError(f"{name}: is not a file of test vectors: {error}") from error
    if found.schema not in KNOWN or len(found.lines) + len(found.decodes) > MOST_LINES:
        raise UsageError(
            f"{name}: is not a file of test vectors with the schema {' or '.join(KNOWN)}"
        )
    if digest_of(found.lines, found.decodes) != found.digest:
        raise UsageError(f"{name}: the test vectors do not match the digest that the file states")
    return found
