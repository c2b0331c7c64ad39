"""The Hugging Face `tokenizers` library."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit_reference.text.bytes_alphabet import to_characters

BUILT = ("vocab.json+merges.txt", "vocab.txt")
CAPABILITIES = frozenset({"encode", "decode", "offsets", "special", "pad", "piece", "vocab"})


class HuggingFaceTokenizer:
    """A `tokenizers.Tokenizer`; truncation and padding are off unless a batch asks for padding."""

    capabilities = CAPABILITIES

    def __init__(self, tokenizer: Any, settings: Mapping[str, Any]) -> None:
        self._tokenizer, self._settings = tokenizer, settings
        self._padding = tokenizer.padding
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.info = TokenizerInfo("tokenizers", "tokenizers", version("tokenizers"))

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> token, added tokens included."""
        return {id: token for token, id in self._tokenizer.get_vocab(True).items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text; offsets are in code points, as the library gives them."""
        if options.piece:
            return [self._of_model(text) for text in texts]
        self._tokenizer.encode_special_tokens = not options.parse_special
        if options.pad:
            self._tokenizer.enable_padding(**self._padding_settings())
        try:
            found = self._tokenizer.encode_batch(
                list(texts), add_special_tokens=options.add_special_tokens
            )
        finally:
            if options.pad:
                self._tokenizer.no_padding()
        return [_encoding(one, options) for one in found]

    def _of_model(self, piece: str) -> Encoding:
        """What the model makes of a piece; a byte-level one knows bytes by GPT-2's alphabet."""
        if self._settings.get("byte_level"):
            piece = to_characters(piece.encode("utf-8", "surrogateescape"))
        return Encoding(ids=tuple(token.id for token in self._tokenizer.model.tokenize(piece)))

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Text for each list of ids."""
        batch = [list(one) for one in ids]
        skip = options.skip_special_tokens
        return list(self._tokenizer.decode_batch(batch, skip_special_tokens=skip))

    def tables(self, names: Sequence[str]) -> dict[str, list[int]]:
        """Table -> the code points on which the library's table is not this Python's."""
        from tokaudit.runtimes.tables_by_name import of_tokenizers

        return of_tokenizers(names)

    def _padding_settings(self) -> dict[str, Any]:
        """The file's own padding, to the longest of the batch; else what the settings say."""
        own = self._padding or {}
        settings = self._settings
        keys = ("direction", "pad_id", "pad_type_id", "pad_token")
        found = {key: own[key] for key in keys if own.get(key) is not None}
        if settings.get("pad_token") is not None:
            found["pad_token"] = settings["pad_token"]
            found["pad_id"] = settings.get("pad_id", 0)
        if settings.get("padding_side"):
            found["direction"] = settings["padding_side"]
        return found


def _encoding(found: Any, options: EncodeOptions) -> Encoding:
    return Encoding(
        ids=tuple(found.ids),
        offsets=tuple(found.offsets) if options.offsets else None,
        attention_mask=tuple(found.attention_mask) if options.pad else None,
    )


def load(path: str, settings: Mapping[str, Any]) -> Tokenizer:
    """From `tokenizer.json`, or built from `vocab.json`+`merges.txt` or `vocab.txt`."""
    from tokenizers import Tokenizer as Library

    if settings.get("format") in BUILT:
        return HuggingFaceTokenizer(_built(settings), settings)
    return HuggingFaceTokenizer(Library.from_file(path), settings)


def _built(settings: Mapping[str, Any]) -> Any:
    """From files that hold a model alone, with the pipeline that the settings say."""
    from tokenizers import Tokenizer, models

    kind = models.WordPiece if settings["format"] == "vocab.txt" else models.BPE
    named = {"unk_token": "unknown", "end_of_word_suffix": "word_end_suffix"}
    options = {name: settings[key] for name, key in named.items() if settings.get(key)}
    model = kind.from_file(*settings["files"].values(), **options)
    content = json.loads(Tokenizer(model).to_str())
    content |= {stage: settings.get(stage) for stage in ("normalizer", "pre_tokenizer", "decoder")}
    tokenizer = Tokenizer.from_str(json.dumps(content))
    _add(tokenizer, settings)
    return tokenizer


def _add(tokenizer: Any, settings: Mapping[str, Any]) -> None:
    """The added tokens in the order of their ids; those known by content alone are special."""
    from tokenizers import AddedToken

    plain = settings.get("special", {})
    bare = [{"id": id, "content": content, "special": True} for content, id in plain.items()]
    for token in sorted(settings.get("added_tokens") or bare, key=lambda token: token["id"]):
        flags = {name: value for name, value in token.items() if name not in ("id", "special")}
        add = tokenizer.add_special_tokens if token["special"] else tokenizer.add_tokens
        add([AddedToken(**flags, special=token["special"])])


ADAPTER = Adapter("tokenizers", "tokenizers", load, minimum="0.20")
