"""Texts with given pieces next to each other, for a search to try."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from tokaudit_reference.models.bpe.merge_table import Surface

META = "\u2581"  # the character that stands for a space in SentencePiece's pieces
CONTINUED = range(0x80, 0xC0)
# What may come before bytes that begin inside a character, by how many of it there are.
BEGINNINGS = {
    1: [b"\xc3", b"\xe2\x80", b"\xe4\xb8", b"\xf0\x9f\x98"],
    2: [b"\xe2", b"\xe4", b"\xf0\x9f"],
    3: [b"\xf0"],
}


def texts(pieces: Sequence[Surface], suffix: str = "") -> Iterator[str]:
    """Yield the text of the pieces: alone, after a space, after a letter, and before one.

    >>> list(texts(["\\u2581to", "ken"]))
    ['token', ' token', 'atoken', 'tokena', 'a token', ' tokena', '\\u2581token']
    """
    found: dict[str, None] = {}
    for text in _written(pieces, suffix):
        plain = text.replace(META, " ")
        bare = plain.removeprefix(" ")
        around = [bare, f" {bare}", f"a{bare}", f"{bare}a", plain, f"a{plain}", f"{plain}a", text]
        found |= dict.fromkeys(t for t in around if t)
    yield from found


def _written(pieces: Sequence[Surface], suffix: str) -> Iterator[str]:
    mark = suffix.encode()
    if all(isinstance(piece, bytes) for piece in pieces):
        yield from readable(b"".join(p.removesuffix(mark) for p in pieces if isinstance(p, bytes)))
    else:
        yield "".join(p.removesuffix(suffix) for p in pieces if isinstance(p, str))


def readable(data: bytes) -> Iterable[str]:
    """Yield the text of bytes, completing characters at both ends.

    >>> readable(b"ab"), readable(b"\\x99s")[:2], len(readable(b"\\xe2\\x80"))
    (['ab'], ['Ùs', '’s'], 64)
    """
    inside = 0
    while inside < len(data) and data[inside] in CONTINUED:
        inside += 1
    found = []
    for before, after in product(BEGINNINGS.get(inside, [b""]), _endings(data)):
        try:
            found.append((before + data + after).decode())
        except UnicodeDecodeError:
            continue
    return found


def _endings(data: bytes) -> Iterator[bytes]:
    """Yield completions of the last character: each last byte, after the plainest others."""
    missing = 0
    for back in range(1, min(4, len(data)) + 1):
        if (lead := data[-back]) in CONTINUED:
            continue
        wanted = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 1
        missing = max(0, wanted - back)
        break
    if not missing:
        yield b""
        return
    for second in (b"\x80", b"\x90", b"\xa0")[: 3 if missing > 1 else 1]:
        between = second + b"\x80" * (missing - 2) if missing > 1 else b""
        for last in CONTINUED:
            yield between + bytes([last])
