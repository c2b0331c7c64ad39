"""Reads either text or bytes, as vocabularies hold both and decoders give both."""

from __future__ import annotations


def bytes_of(value: bytes | str) -> bytes:
    """A piece as bytes.

    >>> bytes_of("é"), bytes_of(b"\\xff")
    (b'\\xc3\\xa9', b'\\xff')
    """
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")


def text_of(value: bytes | str) -> str:
    """Return a piece as text, with U+FFFD for bytes that are not UTF-8.

    >>> text_of(b"a\\xff") == "a\\ufffd"
    True
    """
    return value if isinstance(value, str) else value.decode("utf-8", "replace")
