"""Adapter for onnxruntime-extensions, which onnxruntime-genai runs."""

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

NAME, PACKAGE = "onnxruntime-extensions", "onnxruntime-extensions"
CAPABILITIES = frozenset({"encode", "decode", "parses", "adds", "batch"})
MEMORY = 4_000_000_000  # bytes of address space


class ExtensionsTokenizer:
    """The library's own tokenizer, by its `pp_api`."""

    capabilities = CAPABILITIES

    def __init__(self, library: Any) -> None:
        self._library, self._adds = library, True
        self.info = TokenizerInfo(NAME, PACKAGE, version(PACKAGE))

    def vocab(self) -> dict[int, bytes | str]:
        """Return nothing: the library has no call for its vocabulary."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text; adding special tokens is a setting of the library."""
        if options.add_special_tokens is not self._adds:
            self._adds = options.add_special_tokens
            self._library.update_options({"add_special_tokens": str(self._adds).lower()})
        if options.alone:
            return [Encoding(ids=_ids(self._library.tokenize(text))) for text in texts]
        return [Encoding(ids=_ids(one)) for one in self._library.tokenize(list(texts))]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids, skipping special tokens as the file says."""
        return [_text(self._library.detokenize(list(one))) for one in ids]


def _text(found: Any) -> str:
    """Return a text from the library's row of one."""
    return found if isinstance(found, str) else str(found[0])


def _ids(found: Any) -> tuple[int, ...]:
    """Return ids from a list or an array, which may be the row of one text."""
    plain = found.tolist() if hasattr(found, "tolist") else list(found)
    if len(plain) == 1 and isinstance(plain[0], list):
        [plain] = plain
    return tuple(map(int, plain))


def load(request: LoadRequest) -> Tokenizer:
    """Load a folder, whose `tokenizer_config.json` the library needs."""
    from onnxruntime_extensions.pp_api import Tokenizer as Library

    return ExtensionsTokenizer(Library(laid_out(request)))


ADAPTER = Adapter(
    NAME,
    PACKAGE,
    load,
    minimum="0.15",
    extra="runtimes",
    memory=MEMORY,
    formats=("tokenizer.json",),
    wants_folder=True,
)
