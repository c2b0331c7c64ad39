"""minbpe's `.model`: text lines with the pattern, the special tokens, and the merges as ids.

A merge makes the next id after the 256 bytes, so the file lists pairs of ids and no tokens.

Source: `Tokenizer.save` in minbpe's `base.py`.
"""

from __future__ import annotations

from itertools import islice

from tokaudit.formats import Format
from tokaudit.formats.pieces import HIGHEST_ID
from tokaudit.subject import SourceFile, Subject, read_bytes
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    Family,
    Piece,
    PieceKind,
    SpecError,
    Standing,
    TokenizerSpec,
)

HEADER = "minbpe v1"
BYTES = 256
MOST_BYTES = 64_000_000  # of all tokens; a merge may double one, so few lines could fill memory
STATED = "minbpe's file states it"


def recognise(name: str, head: bytes) -> bool:
    """By the first line."""
    return head.startswith(HEADER.encode())


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """The spec that the file states."""
    lines = _Lines(file)
    if lines.next("the header") != HEADER:
        raise lines.error(f"is no {HEADER} file")
    pattern = lines.next("the pattern")
    added = [lines.special() for _ in range(lines.count())]
    tokens = {id: bytes([id]) for id in range(BYTES)}
    merges, size = [], 0
    for left, right in lines.pairs(tokens):
        size += len(tokens[left]) + len(tokens[right])
        if size > MOST_BYTES:
            raise lines.error(f"makes tokens of more than {MOST_BYTES:,} bytes together")
        merges.append((tokens[left], tokens[right]))
        tokens[len(tokens)] = tokens[left] + tokens[right]
    split = {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Removed",  # what the pattern does not match is lost
        "invert": True,
    }
    return TokenizerSpec(
        family=Family.BPE,
        pieces={id: Piece(PieceKind.ORDINARY, token) for id, token in tokens.items()},
        byte_level=True,
        merges=tuple(merges),
        added_tokens=tuple(added),
        normalizer=Component(None, Standing.STATED),
        pre_tokenizer=Component(split if pattern else None, Standing.STATED),
        decoder=Component({"type": "Bytes"}, Standing.IMPLIED, "minbpe joins bytes"),
        format=FORMAT.name,
        files=(file.name,),
    )


class _Lines:
    """The lines of the file, which know their number."""

    def __init__(self, file: SourceFile) -> None:
        self._file, self._number = file.name, 0
        try:
            self._lines = iter(read_bytes(file).decode().split("\n"))
        except UnicodeDecodeError as error:
            raise SpecError(f"is no UTF-8 at byte {error.start}", file=file.name) from error

    def error(self, what: str) -> SpecError:
        """The error that names the file and the line."""
        return SpecError(what, file=self._file, pointer=f"line {self._number}")

    def next(self, what: str) -> str:
        """The next line."""
        self._number += 1
        for line in islice(self._lines, 1):
            return line.removesuffix("\r")
        raise self.error(f"ends before {what}")

    def count(self) -> int:
        """The number of special tokens."""
        return self._number_in(self.next("the number of special tokens"))

    def special(self) -> AddedToken:
        """A line of a special token and its id."""
        content, space, id = self.next("a special token").rpartition(" ")
        if not space or not content:
            raise self.error("is no special token and its id")
        return AddedToken(self._number_in(id), content, special=True, normalized=False)

    def pairs(self, known: dict[int, bytes]) -> list[tuple[int, int]]:
        """The merges; each may use the ids of the bytes and of the merges above it."""
        found: list[tuple[int, int]] = []
        for line in self._lines:
            self._number += 1
            if not line.strip():
                continue
            parts = line.split()
            if len(parts) != 2:
                raise self.error(f"is {line[:40]!r}; expected two ids")
            left, right = map(self._number_in, parts)
            if max(left, right) >= len(known) + len(found):
                raise self.error(f"merges the id {max(left, right)}, which is not made yet")
            found.append((left, right))
        return found

    def _number_in(self, text: str) -> int:
        if not text.isascii() or not text.isdecimal() or len(text) > 10 or int(text) > HIGHEST_ID:
            raise self.error(f"has {text[:40]!r} where a number belongs")
        return int(text)


FORMAT = Format("minbpe", 28, "", recognise, parse)
