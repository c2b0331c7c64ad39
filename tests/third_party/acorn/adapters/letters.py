"""Runs a file of letters: the id of each is its line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokaudit.plugin import (
    Adapter,
    DecodeOptions,
    EncodeOptions,
    Encoding,
    LoadRequest,
    Tokenizer,
    TokenizerInfo,
)


class Letters:
    """The lines of a file, with the members of the protocol."""

    info = TokenizerInfo("letters", "acorn", "1.0")
    capabilities = frozenset({"encode", "decode", "vocab"})

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def vocab(self) -> dict[int, bytes | str]:
        """Line number -> letter."""
        return dict(enumerate(self._lines))

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """An id for each letter, 0 where there is none."""
        ids = {letter: id for id, letter in enumerate(self._lines)}
        return [Encoding(tuple(ids.get(letter, 0) for letter in text)) for text in texts]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """The letters in a row."""
        return ["".join(self._lines[id] for id in one) for one in ids]


def load(request: LoadRequest) -> Tokenizer:
    """Read the file."""
    return Letters(Path(request.path).read_text().splitlines())


ADAPTER = Adapter("letters", "", load)
