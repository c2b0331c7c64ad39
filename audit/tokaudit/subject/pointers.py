"""Pointers into the files of a subject, in the form of each kind of file, and the lines they name.

* A JSON file has JSON pointers (RFC 6901): `/model/merges/5`; of the whole file, nothing.
* A file of lines has `line 5`, counted from 1.
* A GGUF file has its keys: `tokenizer.ggml.pre`; an entry of a list has `key/5`.
* A file of weights has the names of its tensors.
* A SentencePiece model has its fields: `trainer_spec.unk_id`, `pieces/5/type`; one that is broken
  has `byte 5` where it cannot be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.json_lines import lines_of
from tokaudit.subject.material import SourceFile, read_bytes

LINE = re.compile(r"line ([1-9][0-9]{0,9})")


def at_line(number: int) -> str:
    """The pointer to a line, counted from 1.

    >>> at_line(5)
    'line 5'
    """
    return f"line {number}"


def lines_in(file: SourceFile, pointers: Iterable[str]) -> dict[str, int]:
    """The line of each pointer that names or leads to one; the others are left out."""
    found = {each: int(match[1]) for each in pointers if (match := LINE.fullmatch(each))}
    inside = [each for each in pointers if each.startswith("/")]
    if not inside or not file.regular or file.role == "weights":
        return found
    try:
        data = read_bytes(file)
        return found | lines_of(data.decode(json.detect_encoding(data)), inside)
    except (UnreadableError, UnicodeDecodeError):
        return found
