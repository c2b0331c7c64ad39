"""Spells a pre-token in the ids of its smallest pieces, with the model's rules for the unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from tokaudit_reference.models.bpe.merge_table import Surface
from tokaudit_reference.spec import TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import to_characters

Placed = tuple[int, int, int]  # id, start, end


class Model(Protocol):
    """From one pre-token to ids."""

    def encode(self, piece: str) -> list[int]:
        """The ids of a pre-token."""
        return [id for id, _, _ in self.spans(piece)]

    def spans(self, piece: str) -> list[Placed]:
        """The ids, each with the half-open range that it covers.

        Ranges count characters of the pre-token, or the bytes of its UTF-8 in a byte-level model.
        """
        ...


def utf8(text: str) -> bytes:
    """The bytes of a text; lone surrogates stand for bytes that are not UTF-8 by themselves.

    >>> utf8("é"), utf8("\\udcc3"), utf8("\\ud800")
    (b'\\xc3\\xa9', b'\\xc3', b'?')
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def byte_ids(spec: TokenizerSpec) -> dict[int, int]:
    """Byte -> the id of its `<0xNN>` piece."""
    return {
        int(str(piece.value)[3:5], 16): id
        for id, piece in spec.each_entry()
        if piece.token_type is TokenType.BYTE
    }


class Speller:
    """The smallest pieces of a BPE vocabulary."""

    def __init__(self, spec: TokenizerSpec, ids: Mapping[Surface, int]) -> None:
        self._spec, self._ids, self._bytes = spec, ids, byte_ids(spec)

    def spell(self, text: str) -> list[int]:
        """Spell a pre-token as ids; a character without one is unk, bytes or dropped."""
        return [id for id, _, _ in self.places(text)]

    def places(self, text: str) -> list[Placed]:
        """Spell with ranges; fused unknowns share one range, and fallback bytes their character's.

        An unknown waits for what comes next, with which it may be fused.  The bytes of a character
        do not end its waiting, so they come before it.
        """
        found: list[Placed] = []
        waiting: list[Placed] = []  # an unknown, or none
        for place, (id, in_bytes) in enumerate(self._units(text)):
            if id is not None:
                found += *waiting, (id, place, place + 1)
                waiting = []
            elif in_bytes:
                found += ((byte, place, place + 1) for byte in in_bytes)
            elif self._spec.unk_id is not None:
                start = waiting[0][1] if waiting and self._spec.fuse_unk else place
                found += waiting if start == place else ()
                waiting = [(self._spec.unk_id, start, place + 1)]
        return found + waiting

    def dropped_from(self, text: str, found: Sequence[Placed]) -> list[int]:
        """Return the length in bytes of each unit, as the library counts; empty if all are kept.

        A byte is as long as its character in GPT-2's alphabet.
        """
        units: list[str] = list(text)
        if self._spec.byte_level:
            units = list(to_characters(utf8(text)))
        covered = {unit for _, start, stop in found for unit in range(start, stop)}
        return [] if len(covered) == len(units) else [len(utf8(unit)) for unit in units]

    def _units(self, text: str) -> Iterator[tuple[int | None, list[int]]]:
        """Yield the id of each byte or character, or its fallback bytes if it has all."""
        units: list[Surface] = list(text)
        if self._spec.byte_level:
            units = [bytes([byte]) for byte in utf8(text)]
        last = len(units) - 1
        for index, unit in enumerate(units):
            marked = self._marked(unit, index, last)
            id = self._ids.get(marked)
            yield (id, []) if id is not None else (None, self._fallback(marked))

    def _marked(self, unit: Surface, index: int, last: int) -> Surface:
        prefix = self._spec.continuing_subword_prefix if index else ""
        suffix = self._spec.end_of_word_suffix if index == last else ""
        if isinstance(unit, bytes):
            return prefix.encode() + unit + suffix.encode()
        return prefix + unit + suffix

    def _fallback(self, unit: Surface) -> list[int]:
        """Return the `<0xNN>` ids of a character, mark included, if each of them exists.

        A byte is a character of GPT-2's alphabet there.
        """
        if not self._spec.byte_fallback:
            return []
        character = to_characters(unit) if isinstance(unit, bytes) else unit
        found = [self._bytes.get(byte) for byte in utf8(character)]
        return [] if None in found else [id for id in found if id is not None]
