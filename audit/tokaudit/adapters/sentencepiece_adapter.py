"""Google's `sentencepiece`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from tokaudit.adapters.registry import Adapter
from tokaudit.protocol import DecodeOptions, EncodeOptions, Encoding, Tokenizer, TokenizerInfo

CAPABILITIES = frozenset({"encode", "decode", "vocab"})


class SentencePieceTokenizer:
    """A `SentencePieceProcessor`; control symbols are never taken from text."""

    capabilities = CAPABILITIES

    def __init__(self, processor: Any) -> None:
        self._processor = processor
        self.info = TokenizerInfo("sentencepiece", "sentencepiece", version("sentencepiece"))

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> piece."""
        size = self._processor.get_piece_size()
        return {id: self._processor.id_to_piece(id) for id in range(size)}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text, with bos when special tokens are to be added.

        One thread, because the library otherwise takes all there are and cannot be timed.
        """
        found = self._processor.encode(
            list(texts), out_type=int, add_bos=options.add_special_tokens, num_threads=1
        )
        return [Encoding(ids=tuple(ids)) for ids in found]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Text for each list of ids."""
        return [self._processor.decode(list(one)) for one in ids]


def load(path: str, settings: Mapping[str, Any]) -> Tokenizer:
    """From a `.model` file."""
    from sentencepiece import SentencePieceProcessor

    processor = SentencePieceProcessor()
    processor.Load(path)
    return SentencePieceTokenizer(processor)


ADAPTER = Adapter("sentencepiece", "sentencepiece", load, minimum="0.2.0")
