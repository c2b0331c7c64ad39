"""Bytes to text as they arrive: what may be an unfinished character is held back."""

from __future__ import annotations

import codecs

REPLACEMENT = "\ufffd"
ESCAPED = {0xDC00 + byte: REPLACEMENT for byte in range(0x80, 0x100)}


class Utf8:
    """A stream of bytes to text.

    Bytes that are not UTF-8 become one U+FFFD for each longest beginning of a character, as the
    Unicode Standard recommends and Rust does; or, if `exact`, a lone surrogate for each byte.
    """

    def __init__(self, exact: bool = False) -> None:
        self._errors = "surrogateescape" if exact else "replace"
        self._decoder = codecs.getincrementaldecoder("utf-8")(self._errors)

    def feed(self, data: bytes) -> str:
        """Return the characters that are complete.

        >>> stream = Utf8()
        >>> stream.feed(b"\\xe6\\xbc"), stream.feed(b"\\xa2a\\xe6"), stream.finish()
        ('', '漢a', '�')
        """
        return self._decoder.decode(data)

    def finish(self) -> str:
        """Return the text of an unfinished character at the end; the stream then begins anew."""
        text = self._decoder.decode(b"", True)
        self._decoder.reset()
        return text


def to_bytes(text: str) -> bytes:
    """The bytes of a text in which those that are not UTF-8 are lone surrogates."""
    return text.encode("utf-8", "surrogateescape")


def replaced_one_by_one(text: str) -> str:
    """One U+FFFD for each byte that is not UTF-8, where `Utf8` would give one for several.

    >>> replaced_one_by_one(b"\\xe6\\xbca".decode("utf-8", "surrogateescape"))
    '��a'
    """
    return text.translate(ESCAPED)
