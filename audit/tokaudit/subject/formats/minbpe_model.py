"""minbpe's `.model`: text lines with the pattern, special tokens, and merges as ids.

A merge makes the next id after the 256 bytes, so the file lists pairs of ids and no tokens.  Two
merges may make the same bytes under two ids; a spec names merges by what they join, so such a file
is named and not read.

Source: `Tokenizer.save` and `load` in minbpe's `base.py`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.subject.formats import Format, NothingToRead
from tokaudit.subject.formats.common.pieces import HIGHEST_ID, MOST_PIECES, refuse_many
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.pointers import at_line
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.decoders.bytes_joined import Bytes
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.split import Split

HEADER = "minbpe v1"
BYTES = 256
MOST_BYTES = 64_000_000  # of all tokens; a merge may double one, so few lines could fill memory
ABSENT = Component(None, Standing.STATED)


def recognise(name: str, head: bytes) -> bool:
    """Recognise by the first line."""
    return head.startswith(HEADER.encode())


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec that the file states."""
    lines = _Lines(file)
    if lines.next("the header") != HEADER:
        raise lines.error(f"is no {HEADER} file", "Save it with minbpe again.")
    pattern = lines.next("the pattern")
    special = lines.special_tokens()
    tokens, merges = _merged(lines)
    _refuse_collisions(special, tokens, lines)
    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces={id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)},
        byte_level=True,
        merges=tuple(merges),
        added_tokens=tuple(special.values()),
        normalizer=ABSENT,
        pre_tokenizer=Component(_split(pattern), Standing.STATED) if pattern else ABSENT,
        decoder=Component(Bytes().to_json(), Standing.IMPLIED, "minbpe joins bytes"),
        format=FORMAT.name,
        files=(file.name,),
    )


def _split(pattern: str) -> dict[str, Any]:
    """Return a split that keeps only matches: minbpe's `findall` drops the rest."""
    return Split(Pattern(pattern, is_regex=True), "Removed", invert=True, python=True).to_json()


def _merged(lines: _Lines) -> tuple[list[bytes], list[tuple[bytes, bytes]]]:
    """Return the tokens by id, and the merges that build those after the bytes."""
    tokens = [bytes([byte]) for byte in range(BYTES)]
    merges, made, size = list[tuple[bytes, bytes]](), set(tokens), 0
    for left, right in lines.pairs(tokens):
        size += len(tokens[left]) + len(tokens[right])
        if size > MOST_BYTES:
            raise lines.error(f"makes tokens of more than {MOST_BYTES:,} bytes together")
        merges.append((tokens[left], tokens[right]))
        tokens.append(tokens[left] + tokens[right])
        if tokens[-1] in made:
            raise lines.not_read(f"makes {tokens[-1][:40]!r} a second time, under another id")
        made.add(tokens[-1])
    return tokens, merges


def _refuse_collisions(
    special: Mapping[int, AddedToken], tokens: list[bytes], lines: _Lines
) -> None:
    seen: dict[int | str, int] = {}
    for number, token in special.items():
        if token.id < len(tokens):
            what = f"gives {token.content[:40]!r} the id {token.id}, which a merge or byte has"
            raise lines.error(what, "Give it an id after those of the merges.", number)
        for key in (token.id, token.content):
            if key in seen:
                what = f"repeats {str(key)[:40]!r} of line {seen[key]}"
                raise lines.error(what, "Keep one of the two lines.", number)
            seen[key] = number


class _Lines:
    """The lines of the file, with a counter."""

    def __init__(self, file: SourceFile) -> None:
        self._file, self._number = file.name, 0
        try:
            data = read_bytes(file)
            refuse_many(data.count(b"\n") + data.count(b"\r"), "lines", 2 * MOST_PIECES, file.name)
            self._lines = io.StringIO(data.decode(), newline=None)
        except UnicodeDecodeError as error:
            raise SpecError(f"is not UTF-8 at byte {error.start}", file=file.name) from error

    def error(self, what: str, remedy: str = "", number: int = 0) -> SpecError:
        """Build an error that names the file and a line, by default the last one read."""
        place = at_line(number or self._number)
        return SpecError(what, file=self._file, pointer=place, remedy=remedy)

    def not_read(self, what: str) -> NothingToRead:
        """Build an error for a sound line that is not supported."""
        return NothingToRead(what, file=self._file, pointer=at_line(self._number))

    def next(self, what: str) -> str:
        """Return the next line, stripped as minbpe does."""
        self._number += 1
        line = next(self._lines, None)
        if line is None:
            raise self.error(f"ends before {what}", "The file is cut off; copy it again.")
        return line.strip()

    def special_tokens(self) -> dict[int, AddedToken]:
        """Read the special tokens, in the number that the line before them states."""
        found = {}
        for _ in range(self._number_in(self.next("the number of special tokens"))):
            content, _, id = self.next("a special token").rpartition(" ")
            if not content:
                raise self.error("is not a special token and its id")
            token = AddedToken(self._number_in(id), content, special=True, normalized=False)
            found[self._number] = token
        return found

    def pairs(self, known: list[bytes]) -> Iterator[tuple[int, int]]:
        """Yield the merges; each may use the ids of bytes and of earlier merges."""
        for line in self._lines:
            self._number += 1
            parts = line.split(None, 2)
            if not parts:
                continue
            if len(parts) != 2:
                raise self.error(f"is {line.strip()[:40]!r}; expected two ids")
            left, right = map(self._number_in, parts)
            if max(left, right) >= len(known):
                raise self.error(f"merges the id {max(left, right)}, which is not made yet")
            yield left, right

    def _number_in(self, text: str) -> int:
        if not text.isascii() or not text.isdecimal() or len(text) > 10 or int(text) > HIGHEST_ID:
            raise self.error(f"has {text[:40]!r} where a number belongs")
        return int(text)


FORMAT = Format("minbpe", 28, "", recognise, parse, files=("minbpe.model",))
