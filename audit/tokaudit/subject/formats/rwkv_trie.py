"""RWKV's vocabulary: an id, a Python literal of text or bytes, and its length, on each line.

A trie vocabulary: the longest match is taken, nothing is merged.  It is recognised, not run.
"""

from __future__ import annotations

import ast
import re

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.pieces import HIGHEST_ID, MOST_PIECES, refuse_many
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.pointers import at_line
from tokaudit_reference.spec import (
    Component,
    ModelType,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)

LINE = re.compile(rb"\d+ (b?['\"]).*\1 \d+\r?\n")
LONGEST_LINE = 10_000


def recognise(name: str, head: bytes) -> bool:
    """Recognise by a first line of number, literal and number."""
    return name.endswith(".txt") and LINE.match(head) is not None


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec that the file states."""
    pieces, data = {}, read_bytes(file)
    refuse_many(data.count(b"\n") + data.count(b"\r"), "lines", MOST_PIECES, file.name)
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            id, value = _line(line)
        except (ValueError, SyntaxError, UnicodeDecodeError, MemoryError, RecursionError) as error:
            place = at_line(number)
            text = "is not an id, literal and length"
            raise SpecError(text, file=file.name, pointer=place) from error
        pieces[id] = Piece(TokenType.ORDINARY, value)
    return TokenizerSpec(
        model_type=ModelType.TRIE,
        pieces=pieces,
        byte_level=True,
        normalizer=Component(None, Standing.STATED),
        pre_tokenizer=Component(None, Standing.STATED),
        format=FORMAT.name,
        files=(file.name,),
    )


def _line(line: bytes) -> tuple[int, bytes]:
    if len(line) > LONGEST_LINE:
        raise ValueError("too long")
    id, _, rest = line.decode().partition(" ")
    literal, _, length = rest.rpartition(" ")
    value = ast.literal_eval(literal)
    data = value.encode() if isinstance(value, str) else value
    if not isinstance(data, bytes) or len(data) != int(length):
        raise ValueError("no text or bytes of the stated length")
    if not 0 <= int(id) <= HIGHEST_ID:
        raise ValueError("an id beyond 32 bits")
    return int(id), data


FORMAT = Format("rwkv", 60, "", recognise, parse, files=("rwkv_vocab.txt",))
