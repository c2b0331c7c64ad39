"""SentencePiece's precompiled map of characters: a double-array trie and the strings it points to.

Two ways to walk it: SentencePiece takes the longest match at each place; Hugging Face's tokenizers
looks each short grapheme up whole, and else each of its characters.

Source: `normalizer.cc` in sentencepiece, Darts-clone for the trie, and the crate spm_precompiled.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

from tokaudit_reference.errors import SpecError
from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text.alignment import Edit, from_changes

GRAPHEME = regex.compile(r"\X")
CACHED = 10_000  # graphemes
MOST_NODES, LONGEST_KEY = 500_000, 64  # published maps have 225,000 keys of 10 bytes at most
LONGEST_GRAPHEME = 5  # bytes; a longer one goes character by character


class Charsmap:
    """The trie and the replacement strings of a map."""

    def __init__(self, blob: bytes) -> None:
        size = struct.unpack_from("<I", blob)[0] if len(blob) >= 4 else -1
        if size < 0 or size % 4 or size > len(blob) - 4:
            raise SpecError("the precompiled charsmap is cut short", pointer="/normalizer")
        self._units = struct.unpack_from(f"<{size // 4}I", blob, 4)
        self._strings = blob[4 + size :]

    def prefixes(self, data: bytes) -> list[tuple[int, int]]:
        """Return each prefix of the bytes that is a key: its length, and its string's place."""
        found: list[tuple[int, int]] = []
        units = self._units
        if not units:
            return found
        node = _offset(units[0])
        for length, byte in enumerate(data, start=1):
            node ^= byte
            if node >= len(units) or units[node] & 0x800000FF != byte:
                break
            unit = units[node]
            node ^= _offset(unit)
            if unit >> 8 & 1 and node < len(units):
                found.append((length, units[node] & 0x7FFFFFFF))
        return found

    def entries(self) -> dict[bytes, str]:
        """Every key with its replacement; maps of the same entries do the same.

        Raises `SpecError` where they do not end.
        """
        units, found, taken = self._units, dict[bytes, str](), 0
        below: dict[int, list[int]] = {}  # by where a node's children begin
        for place, unit in enumerate(units):
            if 0 < (byte := unit & 0x800000FF) < 256:
                below.setdefault(place ^ byte, []).append(place)
        waiting = [(_offset(units[0]), b"")] if units else []
        while waiting:
            node, key = waiting.pop()
            taken += 1
            if taken > MOST_NODES or len(key) > LONGEST_KEY:
                raise SpecError("the precompiled charsmap has no end", pointer="/normalizer")
            for place in below.get(node, ()):
                longer, base = key + bytes([place ^ node]), place ^ _offset(units[place])
                if units[place] >> 8 & 1 and base < len(units):
                    found[longer] = self.string(units[base] & 0x7FFFFFFF)
                waiting.append((base, longer))
        return found

    def first(self, chunk: str) -> str | None:
        """Return the string for the shortest key that begins a text, if there is one."""
        prefixes = self.prefixes(chunk.encode("utf-8", "replace"))
        return self.string(prefixes[0][1]) if prefixes else None

    def string(self, start: int) -> str:
        """Return the string that begins at a place."""
        end = self._strings.find(b"\0", start)
        return self._strings[start : end if end >= 0 else None].decode("utf-8", "replace")


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def charsmap(encoded: Any) -> Charsmap | None:
    """Decode the map in a base64 string; None for an empty one."""
    if not encoded:
        return None
    try:
        return Charsmap(base64.b64decode(encoded, validate=True))
    except (TypeError, ValueError, binascii.Error) as error:
        text = "the precompiled charsmap is not base64"
        raise SpecError(text, pointer="/normalizer") from error


@dataclass(frozen=True)
class Precompiled(NormalizerStep):
    """The Precompiled step; its map is a base64 string."""

    type = "Precompiled"
    precompiled_charsmap: str = ""

    @classmethod
    def from_json(cls, options: Options) -> Precompiled:
        """Read the map, which may be null."""
        return cls(options.get("precompiled_charsmap") or "")

    def build(self) -> Rewriting:
        """Rewrite a text grapheme by grapheme with the map."""
        found = charsmap(self.precompiled_charsmap)
        if found is None:
            return Rewriting(lambda text: text, lambda text: [])
        return mapped(found)

    @property
    def effects(self) -> Effects:
        """State that the step loses distinctions between characters that the map joins."""
        loses = "maps characters to others" if self.precompiled_charsmap else ""
        return Effects(loses=loses, by_charsmap=True, charsmap=self.precompiled_charsmap)


def mapped(table: Charsmap) -> Rewriting:
    """Return the rewriting of each grapheme by a map."""

    @lru_cache(CACHED)
    def grapheme(chunk: str) -> tuple[tuple[str, str], ...]:
        """Return the parts of a grapheme, each with its replacement."""
        if len(chunk.encode("utf-8", "replace")) <= LONGEST_GRAPHEME:
            whole = table.first(chunk)
            if whole is not None:
                return ((chunk, whole),)
        mapped = ((c, table.first(c)) for c in chunk)
        return tuple((c, c if to is None else to) for c, to in mapped)

    def parts(text: str) -> Iterator[tuple[str, str]]:
        for match in GRAPHEME.finditer(text):
            yield from grapheme(match.group())

    def edits(text: str) -> list[Edit]:
        return [from_changes(len(text), _changes(parts(text)))]

    return Rewriting(lambda text: "".join([new for _, new in parts(text)]), edits)


def _changes(parts: Iterator[tuple[str, str]]) -> list[tuple[str, int]]:
    """List the change of length at each character.

    tokenizers tells what falls away at the character before it, so nothing tells it at the
    beginning of a text: there the characters after it stand one place too early.
    """
    changes: list[tuple[str, int]] = []
    for old, new in parts:
        gained = len(new) - len(old)
        changes += [(c, int(at >= len(new) - gained)) for at, c in enumerate(new)]
        if gained < 0 and changes:
            changes[-1] = changes[-1][0], changes[-1][1] + gained
    return changes
