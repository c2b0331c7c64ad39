"""GPT-2's alphabet, in which byte-level entries are spelled, as the checkers know it.

Source: `bytes_to_unicode` of the GPT-2 release.
"""

from __future__ import annotations

SEEN = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
UNSEEN = [byte for byte in range(256) if byte not in SEEN]
LETTERS = {**{b: chr(b) for b in SEEN}, **{b: chr(256 + at) for at, b in enumerate(UNSEEN)}}
"""GPT-2's alphabet: a byte that is seen by itself, the others by letters from 256 on."""
BYTE_OF = {letter: byte for byte, letter in LETTERS.items()}


def bytes_of(text: str) -> bytes | None:
    """The bytes that a text of GPT-2's alphabet stands for; None where it is none."""
    found = [BYTE_OF.get(character) for character in text]
    known = [byte for byte in found if byte is not None]
    return bytes(known) if len(known) == len(found) else None


def letters_of(value: bytes | str) -> str:
    """A value as a file spells it.

    >>> letters_of(b" a"), letters_of("a b")
    ('\u0120a', 'a b')
    """
    return value if isinstance(value, str) else "".join(LETTERS[byte] for byte in value)
