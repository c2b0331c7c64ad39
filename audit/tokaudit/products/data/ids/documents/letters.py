"""Compare the spelling of two lists of ids by tokens alone, without the decoder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.runtimes.protocol import Tokenizer

INSIDE, AT_END = "##", "</w>"  # how tokens say that they are inside of a word, and at its end
SPACES = " "  # at the beginning, which models add and decoders take off
WRITTEN = str.maketrans("\u2581\u0120\u010a\u0109\u010d", "  \n\t\r")
"""How white space is written in names of tokens; added tokens have it as it is."""


@dataclass(frozen=True)
class Letters:
    """The tokens of a tokenizer by name."""

    tokenizer: Tokenizer

    @cached_property
    def names(self) -> Mapping[int, bytes | str]:
        """Map ids to tokens; empty if the tokenizer names none."""
        try:
            return self.tokenizer.vocab() if "vocab" in self.tokenizer.capabilities else {}
        except UpstreamTrouble:
            return {}

    def same(self, ids: Iterable[int], others: Iterable[int]) -> bool:
        """Return whether both spell the same, or the tokens have no names."""
        return not self.names or self._spelled(ids) == self._spelled(others)

    def _spelled(self, ids: Iterable[int]) -> bytes:
        parts = [self.names.get(id, "") for id in ids]
        joined = b"".join(part if isinstance(part, bytes) else bare(part) for part in parts)
        return joined.lstrip(SPACES.encode())


def bare(token: str) -> bytes:
    """Return a token without the marks of its position in a word.

    >>> bare("##ing"), bare("ing</w>"), bare("##"), bare("\u0120\u0120") == bare("  ")
    (b'ing', b'ing', b'##', True)
    """
    inner = token[len(INSIDE) :] if token.startswith(INSIDE) else token
    written = (inner.removesuffix(AT_END) or token).translate(WRITTEN)
    return written.encode("utf-8", "surrogatepass")
