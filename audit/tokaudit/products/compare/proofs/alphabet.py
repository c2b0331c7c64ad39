"""GPT-2's byte alphabet, for the checkers.

Source: `bytes_to_unicode` of the GPT-2 release.
"""

from __future__ import annotations

SEEN = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
UNSEEN = [byte for byte in range(256) if byte not in SEEN]
LETTERS = {**{b: chr(b) for b in SEEN}, **{b: chr(256 + at) for at, b in enumerate(UNSEEN)}}
"""GPT-2's alphabet: a byte that is seen by itself, the others by letters from 256 on."""
BYTE_OF = {letter: byte for byte, letter in LETTERS.items()}


def bytes_of(text: str) -> bytes | None:
    """Return the bytes that a text in GPT-2's alphabet stands for, or None."""
    found = [BYTE_OF.get(character) for character in text]
    known = [byte for byte in found if byte is not None]
    return bytes(known) if len(known) == len(found) else None


def letters_of(value: bytes | str) -> str:
    """Return a value in a file's spelling.

    >>> letters_of(b" a"), letters_of("a b")
    ('\u0120a', 'a b')
    """
    return value if isinstance(value, str) else "".join(LETTERS[byte] for byte in value)
