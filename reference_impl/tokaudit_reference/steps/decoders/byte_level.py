"""Steps that make bytes of all tokens and one text of all bytes: ByteLevel, and plain bytes.

`Bytes` is what tiktoken, tekken and RWKV do: a token is its bytes, a special token its content.

Source: `ByteLevel` in Hugging Face's tokenizers; `decode_bytes` in tiktoken.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tokaudit_reference.steps.decoders.stage import Build, Make, Options, Setting, whole_if_fused
from tokaudit_reference.steps.decoders.utf8 import Utf8, to_bytes
from tokaudit_reference.text import bytes_alphabet


def from_alphabet(token: str) -> bytes:
    """The bytes that a token stands for; with a character outside the alphabet, its own.

    >>> from_alphabet("Ã©"), from_alphabet("é é")
    (b'\\xc3\\xa9', b'\\xc3\\xa9 \\xc3\\xa9')
    """
    data = bytes_alphabet.to_bytes(token)
    return to_bytes(token) if data is None else data


class Joined:
    """The bytes of all tokens as one text; an unfinished character is held back."""

    def __init__(self, of: Callable[[str], bytes], exact: bool) -> None:
        self._of, self._utf8 = of, Utf8(exact)

    def feed(self, tokens: list[str]) -> list[str]:
        """The characters that are complete."""
        return [self._utf8.feed(b"".join([self._of(token) for token in tokens]))]

    def finish(self) -> list[str]:
        """What an unfinished character comes to."""
        return [self._utf8.finish()]


def _byte_level(options: Options, setting: Setting) -> Make:
    return partial(Joined, from_alphabet, setting.exact)


def _bytes(options: Options, setting: Setting) -> Make:
    return partial(Joined, to_bytes, setting.exact)


BUILDERS: dict[str, Build] = {"ByteLevel": whole_if_fused(_byte_level), "Bytes": _bytes}
FUSING = frozenset({"ByteLevel", "Bytes"})
