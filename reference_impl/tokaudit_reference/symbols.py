"""Spells a pre-token in the ids of its smallest pieces, with the model's rules for the unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit_reference.merge_table import Surface
from tokaudit_reference.spec import PieceKind, TokenizerSpec


class Speller:
    """The smallest pieces of a BPE vocabulary."""

    def __init__(self, spec: TokenizerSpec, ids: Mapping[Surface, int]) -> None:
        self._spec, self._ids = spec, ids
        self._bytes = {
            int(str(piece.value)[3:5], 16): id
            for id, piece in spec.pieces.items()
            if piece.kind is PieceKind.BYTE
        }

    def spell(self, text: str) -> list[int]:
        """The ids of a pre-token's bytes or characters; what has none is unk, bytes or dropped."""
        found: list[int] = []
        for units, ids in self._units(text):
            if ids or not units:
                found.extend(ids)
            elif self._spec.unknown_id is not None:
                fused = self._spec.fuse_unknown and found[-1:] == [self._spec.unknown_id]
                if not fused:
                    found.append(self._spec.unknown_id)
        return found

    def _units(self, text: str) -> Iterator[tuple[Surface, list[int]]]:
        units: list[Surface]
        if self._spec.byte_level:
            units = [bytes([byte]) for byte in text.encode("utf-8", "replace")]
        else:
            units = list(text)
        last = len(units) - 1
        for index, unit in enumerate(units):
            id = self._ids.get(self._marked(unit, index, last))
            yield unit, [id] if id is not None else self._fallback(unit)

    def _marked(self, unit: Surface, index: int, last: int) -> Surface:
        prefix = self._spec.continuation_prefix if index else ""
        suffix = self._spec.word_end_suffix if index == last else ""
        if isinstance(unit, bytes):
            return prefix.encode() + unit + suffix.encode()
        return prefix + unit + suffix

    def _fallback(self, unit: Surface) -> list[int]:
        """The `<0xNN>` ids of a character, if all of them exist."""
        if not self._spec.byte_fallback or isinstance(unit, bytes):
            return []
        found = [self._bytes.get(byte) for byte in unit.encode("utf-8", "replace")]
        return [] if None in found else [id for id in found if id is not None]
