"""Vocabulary entries as rows of character classes.

Entries of bytes may begin or end within a character.  Such a place holds any character that ends
or begins with these bytes; one of each class will do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tokaudit.products.compare.patterns.classes import SURROGATES, Partition, overlaid

Pair = tuple[int, int]  # a class of the left, and one of the right
Place = frozenset[Pair]
CONTINUED = range(0x80, 0xC0)


class Reader:
    """Converts entries to rows of classes, over two partitions."""

    def __init__(self, left: Partition, right: Partition) -> None:
        self.segments = list(overlaid(left, right))  # in order of code points
        self.starts = [at for at, _ in self.segments]
        self.single: dict[str, Place] = {}
        self.partial: dict[tuple[bytes, bool], dict[Pair, str]] = {}

    def row(self, entry: str | bytes) -> tuple[Place, ...]:
        """Return the classes of an entry, one for each whole or partial character."""
        head, text, tail = parts(entry)
        places = [frozenset(self.part(head, True))] if head else []
        for character in text:
            place = self.single.get(character)
            if place is None:
                at = bisect_right(self.starts, ord(character)) - 1
                place = self.single[character] = frozenset({self.segments[at][1]})
            places.append(place)
        return (*places, frozenset(self.part(tail, False))) if tail else tuple(places)

    def part(self, part: bytes, at_end: bool) -> dict[Pair, str]:
        """Map the classes of characters with this part to an example."""
        if (part, at_end) not in self.partial:
            self.partial[part, at_end] = dict(self._classes(codes_with(part, at_end)))
        return self.partial[part, at_end]

    def _classes(self, codes: range) -> Iterator[tuple[Pair, str]]:
        """Yield the class of each segment that contains one of the codes."""
        first = bisect_right(self.starts, codes.start) - 1
        last = bisect_right(self.starts, codes.stop - 1)
        ends = [*self.starts[first + 1 : last], codes.stop]
        for (at, pair), end in zip(self.segments[first:last], ends, strict=True):
            code = _first_from(at, codes)
            if code in SURROGATES:
                code = _first_from(SURROGATES.stop, codes)
            if code < min(end, codes.stop):
                yield pair, chr(code)

    def spelled(self, entry: str | bytes, way: Sequence[Pair]) -> str:
        """Spell an entry, completing partial characters from these classes."""
        head, text, tail = parts(entry)
        before = self.part(head, True)[way[0]] if head else ""
        return before + text + (self.part(tail, False)[way[-1]] if tail else "")


def _first_from(least: int, codes: range) -> int:
    """Return the first of the codes from `least` on, or one past them."""
    return codes.start + max(0, -((codes.start - least) // codes.step)) * codes.step


def parts(entry: str | bytes) -> tuple[bytes, str, bytes]:
    r"""Split an entry into the end of a character, whole characters, and a beginning.

    Bytes that no text has are never met: all three are empty.

    >>> parts(b"\x96 a\xe2")
    (b'\x96', ' a', b'\xe2')
    >>> parts(b"a\xff")
    (b'', '', b'')
    """
    if isinstance(entry, str):
        return b"", entry, b""
    first = next((i for i, byte in enumerate(entry) if byte not in CONTINUED), len(entry))
    for last in range(len(entry), max(first, len(entry) - 4) - 1, -1):
        tail = entry[last:]
        if tail and (tail[0] in CONTINUED or not codes_with(tail, at_end=False)):
            continue
        try:
            text = entry[first:last].decode()
        except UnicodeDecodeError:
            continue
        if first and not codes_with(entry[:first], at_end=True):
            break
        return entry[:first], text, tail
    return b"", "", b""


@lru_cache(maxsize=8192)
def codes_with(part: bytes, at_end: bool) -> range:
    r"""Return the code points whose UTF-8 properly starts or ends with this part.

    >>> "".join(map(chr, codes_with(b"\xce", at_end=False)[17:20]))
    'ΑΒΓ'
    >>> "".join(map(chr, codes_with(b"\x91", at_end=True)[1:4]))
    'Ñđő'
    """
    return _ending(part) if at_end else _beginning(part)


LEAST = (0x80, 0x800, 0x10000)  # the first code points of two, three and four bytes
NONE = range(0)


def _ending(part: bytes) -> range:
    if len(part) > len(LEAST):
        return NONE
    low, step = _bits(part), int(64 ** len(part))
    least = LEAST[len(part) - 1]
    return range(least + (low - least) % step, 0x110000, step)


def _beginning(part: bytes) -> range:
    lead = part[0]
    length = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4
    missing = length - len(part)
    if not 0xC2 <= lead <= 0xF4 or missing < 1 or any(each not in CONTINUED for each in part[1:]):
        return NONE
    known = (lead & 0x7F >> length) << 6 * (len(part) - 1) | _bits(part[1:])
    size = int(64**missing)
    found = range(max(known * size, LEAST[length - 2]), min((known + 1) * size, 0x110000))
    return NONE if found and found[0] in SURROGATES and found[-1] in SURROGATES else found


def _bits(continued: bytes) -> int:
    value = 0
    for byte in continued:
        value = value << 6 | byte & 0x3F
    return value
