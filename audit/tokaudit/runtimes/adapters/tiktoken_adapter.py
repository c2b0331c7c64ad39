"""Adapter for OpenAI's `tiktoken`, from a rank or tekken file, without network."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
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
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.thread_pool import in_threads

CAPABILITIES = frozenset({"encode", "decode_bytes", "special", "piece", "vocab", "threads"})


class TiktokenTokenizer:
    """A `tiktoken.Encoding`; `shift` is a tekken file's offset of ranks."""

    capabilities = CAPABILITIES

    def __init__(self, encoding: Any, special: Mapping[str, int], shift: int = 0) -> None:
        self._encoding, self._shift = encoding, shift
        self._control = {id: token.encode() for token, id in special.items()}
        self.info = TokenizerInfo("tiktoken", "tiktoken", version("tiktoken"))

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to the bytes of tokens; special tokens to text."""
        ordinary = self._encoding.token_byte_values()
        found: dict[int, bytes | str] = {
            self._encoding.encode_single_token(token) + self._shift: token for token in ordinary
        }
        return found | {id: token.decode() for id, token in self._control.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text; a tekken file's control tokens are never parsed in text."""
        found = in_threads(texts, options.threads, lambda text: self._ids(text, options))
        return [Encoding(ids=ids) for ids in found]

    def _ids(self, text: str, options: EncodeOptions) -> tuple[int, ...]:
        if options.piece:
            found = self._encoding._encode_single_piece(text.encode("utf-8", "surrogateescape"))
            return tuple(id + self._shift for id in found)
        if options.parse_special and not self._shift:
            return tuple(self._encoding.encode(text, allowed_special="all"))
        return tuple(id + self._shift for id in self._encoding.encode_ordinary(text))

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids to bytes."""
        return [b"".join(self._bytes(id, options) for id in one) for one in ids]

    def tables(self, names: Sequence[str], characters: str) -> dict[str, list[int]]:
        """Map pattern classes to code points on which the library differs from `regex`."""
        from tokaudit.runtimes.tables_by_name import of_tiktoken

        return of_tiktoken(names, characters)

    def _bytes(self, id: int, options: DecodeOptions) -> bytes:
        if id in self._control:
            return b"" if options.skip_special_tokens else self._control[id]
        return bytes(self._encoding.decode_single_token_bytes(id - self._shift))


def load(request: LoadRequest) -> Tokenizer:
    """Load a rank file with the requested pattern and added tokens, or a tekken file."""
    from tiktoken import Encoding as Library

    from tokaudit.subject.formats import tiktoken_json

    special = {token.content: token.id for token in request.added_tokens}
    if "" in special:
        raise ValueError("an empty special token: tiktoken would never end on it")
    pattern = request.pattern
    if not pattern:
        raise ValueError("the split pattern is not stated; give it with --pattern")
    if request.format == "tekken":
        ranks, shift = _tekken_ranks(request.path)
        library = Library("audited", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        return TiktokenTokenizer(library, special, shift)
    data = Path(request.path).read_bytes()
    if request.format == tiktoken_json.FORMAT.name:
        data = tiktoken_json.ranks_of(json.loads(data), request.path)
    ranks = _ranks(data)
    library = Library("audited", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
    return TiktokenTokenizer(library, special)


def _ranks(data: bytes) -> dict[bytes, int]:
    """Map tokens to ranks, skipping empty lines as the library does."""
    found = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line:
            continue
        token, _, rank = line.partition(b" ")
        try:
            found[base64.b64decode(token)] = int(rank)
        except ValueError as error:
            raise ValueError(f"line {number} is not a token in base64 and its rank") from error
    return found


def _tekken_ranks(path: str) -> tuple[dict[bytes, int], int]:
    data = json.loads(Path(path).read_bytes())
    config = data["config"]
    shift = int(config["default_num_special_tokens"])
    entries = data["vocab"][: int(config["default_vocab_size"]) - shift]
    return {base64.b64decode(e["token_bytes"]): int(e["rank"]) for e in entries}, shift


ADAPTER = Adapter("tiktoken", "tiktoken", load, minimum="0.8")
