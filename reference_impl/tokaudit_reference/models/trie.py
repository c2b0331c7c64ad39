"""Greedy longest match over bytes, as RWKV's vocabularies are used: no merges, no scores.

Source: `rwkv_tokenizer.py` in the rwkv package.
"""

from __future__ import annotations

from tokaudit_reference.models.symbols import Model, Placed, utf8
from tokaudit_reference.spec import TokenizerSpec


class Trie(Model):
    """Takes the longest token that the bytes begin with, again and again."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._ids = {
            piece.value if isinstance(piece.value, bytes) else piece.value.encode(): id
            for id, piece in spec.each_entry()
        }
        # The lengths to try, by the first two bytes: nearly every other is ruled out by them.
        self._lengths: dict[bytes, list[int]] = {}
        for token in sorted(self._ids, key=len, reverse=True):
            lengths = self._lengths.setdefault(token[:2], [])
            if lengths[-1:] != [len(token)]:
                lengths.append(len(token))

    def spans(self, piece: str) -> list[Placed]:
        """Encode a pre-token to ids with their ranges in bytes."""
        data, found, at = utf8(piece), list[Placed](), 0
        while at < len(data):
            length = self._longest(data, at)
            if length:
                found.append((self._ids[data[at : at + length]], at, at + length))
            at += length or 1
        return found

    def _longest(self, data: bytes, at: int) -> int:
        left = len(data) - at
        for length in self._lengths.get(data[at : at + 2], ()):
            if length <= left and data[at : at + length] in self._ids:
                return length
        return int(data[at : at + 1] in self._ids)
