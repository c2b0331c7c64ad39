"""Adapter for `AutoTokenizer` of transformers, from a folder, without torch or network."""

from __future__ import annotations

from collections.abc import Sequence
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

NAME = "transformers"
CAPABILITIES = frozenset({"encode", "decode", "special", "adds", "batch", "vocab"})
MEMORY = 6_000_000_000  # bytes of address space, most of which is never touched


class AutoTokenizer:
    """A tokenizer of the class that the library chooses for the folder."""

    capabilities = CAPABILITIES

    def __init__(self, library: Any) -> None:
        self._library = library
        kind = type(library).__name__
        self.info = TokenizerInfo(NAME, NAME, version(NAME), notes=(f"loaded as {kind}",))

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to tokens, added tokens included."""
        return {id: token for token, id in self._library.get_vocab().items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text."""
        keywords = {
            "add_special_tokens": options.add_special_tokens,
            "split_special_tokens": not options.parse_special,
        }
        if options.alone:
            found = [self._library(text, **keywords)["input_ids"] for text in texts]
        else:
            found = self._library(list(texts), **keywords)["input_ids"]
        return [Encoding(ids=tuple(ids)) for ids in found]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids, without clean-up."""
        skip = options.skip_special_tokens
        return [
            self._library.decode(
                list(one), skip_special_tokens=skip, clean_up_tokenization_spaces=False
            )
            for one in ids
        ]


def load(request: LoadRequest) -> Tokenizer:
    """Load a private folder, because the library takes hints from a folder's name."""
    from transformers import AutoTokenizer as Library
    from transformers.utils import logging

    logging.set_verbosity_error()
    folder = laid_out(request)
    found = Library.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    return AutoTokenizer(found)


ADAPTER = Adapter(
    NAME,
    NAME,
    load,
    minimum="4.57",
    extra="transformers",
    memory=MEMORY,
    formats=("tokenizer.json", "vocab.json+merges.txt", "vocab.txt", "sentencepiece"),
    wants_folder=True,
)
