"""A tokenizer loaded in this process, with the errors that a worker's client raises."""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
    text_or_none,
)

MOST_WORDS = 2000  # characters of a library's own words


class LoadedTokenizer:
    """The `Tokenizer` protocol; a refused text is marked and ends nothing.

    A Rust panic is a `BaseException`, hence the broad nets.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @property
    def info(self) -> TokenizerInfo:
        """Return the identity of the tokenizer."""
        return self._tokenizer.info

    @property
    def capabilities(self) -> frozenset[str]:
        """Return the capabilities of the tokenizer."""
        return self._tokenizer.capabilities

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to tokens."""
        try:
            return self._tokenizer.vocab()
        except BaseException as error:
            raise _trouble(error) from error

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text; if the batch raises, encode one by one."""
        try:
            return self._tokenizer.encode(texts, options)
        except BaseException:
            return [self._one(text, options) for text in texts]

    def _one(self, text: str, options: EncodeOptions) -> Encoding:
        try:
            return self._tokenizer.encode([text], options)[0]
        except BaseException as error:
            return Encoding(error=_words(error))

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids; raise `UpstreamTrouble` on failure."""
        try:
            return self._tokenizer.decode(ids, options)
        except BaseException as error:
            raise _trouble(error) from error

    def round_trips(self, ids: Sequence[Sequence[int]]) -> list[tuple[bool, int, int] | None]:
        """Return for each list of ids whether its own text encodes to it; None if unknown.

        With it come the bytes of the text and the number of its ids.
        """
        try:
            texts = [text_or_none(output) for output in self.decode(ids)]
        except UpstreamTrouble:
            return [None] * len(ids)
        whole = iter(self._ids([text for text in texts if text is not None]))
        own = [next(whole) if text is not None else None for text in texts]
        return [
            None if text is None or one is None else (tuple(one) == row, _size(text), len(one))
            for row, text, one in zip(map(tuple, ids), texts, own, strict=True)
        ]

    def _ids(self, texts: Sequence[str]) -> Sequence[Sequence[int] | None]:
        """Return the ids of each text; None if it is not encoded."""
        bare = getattr(self._tokenizer, "ids", None)
        if bare is not None:
            try:
                found: list[list[int]] = bare(texts)
            except BaseException:  # so that each is tried by itself
                pass
            else:
                return found
        return [None if one.error is not None else one.ids for one in self.encode(texts)]


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:MOST_WORDS]


def _trouble(error: BaseException) -> UpstreamTrouble:
    return UpstreamTrouble(_words(error))
