"""Pointers into the files of a subject, by kind of file, and their lines.

* A JSON file has JSON pointers (RFC 6901): `/model/merges/5`; of the whole file, nothing.
* A file of lines has `line 5`, counted from 1.
* A GGUF file has its keys: `tokenizer.ggml.pre`; an entry of a list has `key/5`.
* A file of weights has the names of its tensors.
* A SentencePiece model has its fields: `trainer_spec.unk_id`, `pieces`, `pieces/5/type`; one that
  is broken has `byte 5` where it cannot be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile, read_bytes
from tokaudit.subject.places.json_lines import lines_of

LINE = re.compile(r"line ([1-9][0-9]{0,9})")


def at_line(number: int) -> str:
    """Return the pointer to a line, counted from 1.

    >>> at_line(5)
    'line 5'
    """
    return f"line {number}"


@dataclass(frozen=True, slots=True)
class Led:
    """The existing part of a pointer in a file, and its line; None if unknown."""

    pointer: str
    line: int | None = None


Known = dict[tuple[str, frozenset[str]], dict[str, int]]
"""The lines of pointers in a file, by its digest."""


def followed(
    file: SourceFile, pointers: Collection[str], known: Known | None = None
) -> dict[str, Led]:
    """Return each pointer that leads somewhere, shortened to its existing part.

    `known` is what was found in the same bytes before, and takes what is found now.
    """
    found = {each: Led(each, int(n[1])) for each in pointers if (n := LINE.fullmatch(each))}
    inside = [each for each in pointers if each.startswith("/")]
    if not inside or not file.regular or file.role == "weights":
        return found
    wanted = frozenset(above for each in inside for above in _ways(each))
    try:
        lines = _lines(file, wanted, {} if known is None else known)
    except (UnreadableError, UnicodeDecodeError):
        return found
    for each in inside:
        led = next((above for above in _ways(each) if above in lines), "")
        found[each] = Led(led, lines.get(led))
    return found


def _lines(file: SourceFile, wanted: frozenset[str], known: Known) -> dict[str, int]:
    data = read_bytes(file)
    key = file.content.digest()[0], wanted
    if key not in known:
        known[key] = lines_of(data.decode(json.detect_encoding(data)), wanted)
    return known[key]


def _ways(pointer: str) -> Iterator[str]:
    """Yield a pointer and all its parents, the longest first.

    >>> list(_ways("/a/0"))
    ['/a/0', '/a']
    """
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]
