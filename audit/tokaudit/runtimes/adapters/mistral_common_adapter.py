"""Adapter for mistral-common: tekken files, and Mistral's SentencePiece models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokaudit.foundation.installed_version import version
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest, laid_out

NAME = "mistral-common"
CAPABILITIES = frozenset({"encode", "decode"})
MEMORY = 4_000_000_000  # bytes of address space


class MistralTokenizer:
    """One of the two tokenizers of the package; neither parses control tokens in text."""

    capabilities = CAPABILITIES

    def __init__(self, library: Any) -> None:
        self._library = library
        kind = type(library).__name__
        self.info = TokenizerInfo(NAME, NAME, version(NAME), notes=(f"loaded as {kind}",))

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to tokens as the library names them."""
        return dict(enumerate(self._library.vocab()))

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text."""
        add = options.add_special_tokens
        return [Encoding(ids=tuple(self._library.encode(t, bos=add, eos=False))) for t in texts]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids."""
        return [str(self._library.decode(list(one))) for one in ids]


def load(request: LoadRequest) -> Tokenizer:
    """Load by the file name, which shows the version of the tokenizer."""
    from mistral_common.tokens.tokenizers.sentencepiece import SentencePieceTokenizer
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    [path] = [name for name in Path(laid_out(request)).iterdir() if _is(name, request.path)]
    if request.format == "tekken":
        return MistralTokenizer(Tekkenizer.from_file(path))
    return MistralTokenizer(SentencePieceTokenizer(str(path)))


def _is(name: Path, path: str) -> bool:
    return name.resolve() == Path(path).resolve()


ADAPTER = Adapter(
    NAME,
    NAME,
    load,
    minimum="1.5",
    extra="mistral",
    memory=MEMORY,
    formats=("tekken", "sentencepiece"),
    wants_folder=True,
)
