"""Adapter for the Hugging Face `tokenizers` library."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
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
from tokaudit_reference.spec import AddedToken
from tokaudit_reference.text.bytes_alphabet import to_characters

LINES = "vocab.txt"
BUILT = ("vocab.json+merges.txt", LINES)
CAPABILITIES = frozenset(
    {
        *("encode", "decode", "offsets", "type_ids", "special"),
        *("pad", "limits", "pairs", "piece", "vocab", "adds"),
        *("batch", "threads", "reload"),
    }
)


class HuggingFaceTokenizer:
    """A `tokenizers.Tokenizer`, without truncation and padding unless requested."""

    def __init__(self, tokenizer: Any, request: LoadRequest) -> None:
        self._tokenizer, self._request = tokenizer, request
        self._padding, self._truncation = tokenizer.padding, tokenizer.truncation
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.info = TokenizerInfo("tokenizers", "tokenizers", version("tokenizers"))
        self.capabilities = CAPABILITIES | ({"stream"} if _streams() else set())

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to tokens, added tokens included."""
        return {id: token for token, id in self._tokenizer.get_vocab(True).items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text; offsets are in code points, as the library returns them."""
        if options.piece:
            return [self._of_model(text) for text in texts]
        self._tokenizer.encode_special_tokens = not options.parse_special
        second = options.second
        batch: list[Any] = list(texts) if second is None else [(text, second) for text in texts]
        self._limit(options)
        add = options.add_special_tokens
        try:
            if options.alone or options.threads > 1 or options.reloaded:
                found = self._one_by_one(texts, options)
            else:
                found = self._tokenizer.encode_batch(batch, add_special_tokens=add)
        finally:
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
        return [_encoding(one, options) for one in found]

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Encode texts without any option, to bare ids."""
        self._tokenizer.encode_special_tokens = False
        found = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [one.ids for one in found]

    def _one_by_one(self, texts: Sequence[str], options: EncodeOptions) -> list[Any]:
        """Encode one by one, without changing the tokenizer's settings meanwhile."""
        tokenizer, second = self._tokenizer, options.second
        if options.reloaded:
            tokenizer = type(tokenizer).from_str(tokenizer.to_str())
            tokenizer.encode_special_tokens = not options.parse_special
        add = options.add_special_tokens
        encode = partial(tokenizer.encode, pair=second, add_special_tokens=add)
        return in_threads(texts, options.threads, encode)

    def _limit(self, options: EncodeOptions) -> None:
        """Set truncation and padding for one batch."""
        padding = self._padding_settings() if options.pad else self._padding
        if options.pad or (options.limits and padding):
            self._tokenizer.enable_padding(**padding)
        if options.limits and self._truncation:
            self._tokenizer.enable_truncation(**self._truncation)

    def _of_model(self, piece: str) -> Encoding:
        """Encode a piece with the model, in GPT-2's alphabet if byte-level."""
        if self._request.byte_level:
            piece = to_characters(piece.encode("utf-8", "surrogateescape"))
        return Encoding(ids=tuple(token.id for token in self._tokenizer.model.tokenize(piece)))

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids."""
        batch = [list(one) for one in ids]
        skip = options.skip_special_tokens
        if options.streamed:
            return [self._streamed(one, skip) for one in batch]
        return list(self._tokenizer.decode_batch(batch, skip_special_tokens=skip))

    def _streamed(self, ids: Sequence[int], skip: bool) -> str:
        """Return the text that the library's stream has written after the last id."""
        from tokenizers.decoders import DecodeStream

        stream = DecodeStream(skip_special_tokens=skip)
        return "".join(stream.step(self._tokenizer, id) or "" for id in ids)

    def tables(self, names: Sequence[str], characters: str) -> dict[str, list[int]]:
        """Map tables to code points on which the library differs from the reference."""
        from tokaudit.runtimes.tables_by_name import of_tokenizers

        return of_tokenizers(names, characters)

    def _padding_settings(self) -> dict[str, Any]:
        """Return the padding settings of configs, or else the file's own block.

        In that order, because loaders read the configs last; the length is that of the batch.
        """
        own, asked = self._padding or {}, self._request.padding
        keys = ("direction", "pad_id", "pad_type_id", "pad_token")
        found = {key: own[key] for key in keys if own.get(key) is not None}
        if asked.token is not None and asked.id is not None:
            found |= {"pad_token": asked.token, "pad_id": asked.id}
        if asked.side is not None:
            found["direction"] = asked.side
        return found


def _streams() -> bool:
    """Return whether the library has a streaming decoder, as since 0.21."""
    from tokenizers import decoders

    return hasattr(decoders, "DecodeStream")


def _encoding(found: Any, options: EncodeOptions) -> Encoding:
    return Encoding(
        ids=tuple(found.ids),
        offsets=tuple(found.offsets) if options.offsets else None,
        attention_mask=tuple(found.attention_mask) if options.pad else None,
        type_ids=tuple(found.type_ids) if options.type_ids else None,
    )


def load(request: LoadRequest) -> Tokenizer:
    """Load `tokenizer.json`, or build from `vocab.json`+`merges.txt` or `vocab.txt`."""
    from tokenizers import Tokenizer as Library

    if request.format in BUILT:
        return HuggingFaceTokenizer(_built(request), request)
    return HuggingFaceTokenizer(Library.from_file(request.path), request)


def _built(request: LoadRequest) -> Any:
    """Build from files of a bare model, with the pipeline of the request."""
    from tokenizers import Tokenizer, models

    stated = {
        "unk_token": request.unknown_token,
        "end_of_word_suffix": request.end_of_word_suffix,
    }
    options = {name: value for name, value in stated.items() if value}
    model = (
        models.WordPiece(_lines(Path(request.files[0])), **options)
        if request.format == LINES
        else models.BPE.from_file(*request.files, **options)
    )
    content = json.loads(Tokenizer(model).to_str()) | asdict(request.pipeline)
    tokenizer = Tokenizer.from_str(json.dumps(content))
    for token in sorted(request.added_tokens, key=lambda token: token.id):
        _add(tokenizer, token)
    return tokenizer


def _lines(path: Path) -> dict[str, int]:
    """Number the unstripped lines, as BERT's `load_vocab` in transformers 4 does.

    `WordPiece.from_file` strips the ends of lines; `vocab/stripped-lines` is about what that does.
    """
    lines = path.read_bytes().decode().split("\n")
    return {line.rstrip("\r"): number for number, line in enumerate(lines) if line}


def _add(tokenizer: Any, token: AddedToken) -> None:
    """Add one token, with all its flags."""
    from tokenizers import AddedToken as Library

    flags = {name: value for name, value in asdict(token).items() if name != "id"}
    add = tokenizer.add_special_tokens if token.special else tokenizer.add_tokens
    add([Library(**flags)])


ADAPTER = Adapter("tokenizers", "tokenizers", load, minimum="0.20")
