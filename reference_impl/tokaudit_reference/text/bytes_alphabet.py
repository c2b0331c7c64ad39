"""GPT-2's bijection between the 256 bytes and 256 printable characters.

Bytes that print as themselves keep their character; the others follow from U+0100 on.  So any
byte string can be written as text without spaces or control characters.  It encodes nothing.

Source: `bytes_to_unicode` in the GPT-2 release; `ByteLevel` in Hugging Face's tokenizers.
"""

from __future__ import annotations

import codecs

PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))


def _alphabet() -> dict[int, str]:
    others = [byte for byte in range(256) if byte not in PRINTABLE]
    shown = {byte: chr(byte) for byte in PRINTABLE}
    return shown | {byte: chr(256 + index) for index, byte in enumerate(others)}


CHARACTER_OF = _alphabet()
BYTE_OF = {character: byte for byte, character in CHARACTER_OF.items()}
AS_CHARMAP = codecs.charmap_build("".join(CHARACTER_OF[byte] for byte in range(256)))
"""The alphabet as Python's own codecs write a character set of 256."""


def to_characters(data: bytes) -> str:
    """Bytes in the alphabet's characters.

    >>> to_characters(" é".encode())
    'ĠÃ©'
    """
    return "".join([CHARACTER_OF[byte] for byte in data])


def to_bytes(text: str) -> bytes | None:
    """Return the bytes of a text in the alphabet, or None for a text outside it.

    >>> to_bytes("ĠÃ©").decode(), to_bytes("▁a")
    (' é', None)
    """
    try:
        return codecs.charmap_encode(text, "strict", AS_CHARMAP)[0]
    except UnicodeEncodeError:
        return None


def in_alphabet(text: str) -> bool:
    """Return whether every character of a text stands for a byte.

    >>> in_alphabet("Ġ"), in_alphabet(" ")
    (True, False)
    """
    return all(character in BYTE_OF for character in text)
