"""A small tokenizer with the files next to it, put together step by step and written at the end.

    Folder.bpe("ab", ["a b"]).added("</s>").config(vocab_size=4).write(path)

Each step returns a new folder, so that a sound one can be the start of several broken ones. What is
not named is left out of the files: a test states all that its subject states.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from tokaudit_folders import gguf_files

Json = dict[str, Any]
Merge = str | Sequence[str]
TOKENIZER = "tokenizer.json"
FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)


@dataclass(frozen=True)
class Folder:
    """A tokenizer.json, unless `tokenizer` is empty, and other files by their names."""

    tokenizer: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)

    @classmethod
    def bpe(
        cls,
        tokens: Iterable[str] | Mapping[str, int],
        merges: Iterable[Merge] = (),
        **options: object,
    ) -> Self:
        """A BPE of these tokens, and of what the merges make of them unless ids are given.

        >>> Folder.bpe("ab", ["a b"]).tokenizer["model"]
        {'type': 'BPE', 'vocab': {'a': 0, 'b': 1, 'ab': 2}, 'merges': ['a b']}
        """
        listed = [each if isinstance(each, str) else list(each) for each in merges]
        made = ["".join(m.split(" ") if isinstance(m, str) else m) for m in listed]
        vocab = tokens if isinstance(tokens, Mapping) else ids([*tokens, *made])
        return cls.model("BPE", vocab=dict(vocab), merges=listed, **options)

    @classmethod
    def wordpiece(cls, words: Iterable[str], unknown: str = "[UNK]", **options: object) -> Self:
        """A WordPiece of these words, whose parts within a word begin with `##`."""
        settings: Json = {"unk_token": unknown, "continuing_subword_prefix": "##"}
        settings |= {"max_input_chars_per_word": 100}
        return cls.model("WordPiece", **{**settings, **options}, vocab=ids(words))

    @classmethod
    def wordlevel(cls, words: Iterable[str], unknown: str = "[UNK]") -> Self:
        """A model of whole words."""
        return cls.model("WordLevel", vocab=ids(words), unk_token=unknown)

    @classmethod
    def unigram(cls, pieces: Iterable[tuple[str, float]], **options: object) -> Self:
        """A Unigram of these pieces with their scores, the first for what is unknown."""
        return cls.model("Unigram", **{"unk_id": 0, **options}, vocab=[list(p) for p in pieces])

    @classmethod
    def model(cls, type: str, **options: object) -> Self:
        """A tokenizer.json of a model of any type, with the options as given."""
        return cls({"version": "1.0", "model": {"type": type, **options}})

    @classmethod
    def sentencepiece(cls, data: bytes, name: str = "tokenizer.model") -> Self:
        """A SentencePiece model alone, from its bytes."""
        return cls(files={name: data})

    def changed(self, **parts: object) -> Self:
        """With other values of keys of tokenizer.json, such as a stage."""
        model = self.tokenizer["model"]
        rest = {key: value for key, value in self.tokenizer.items() if key != "model"}
        return replace(self, tokenizer={**rest, "model": model, **parts})

    def added(self, *tokens: str, special: bool = True, **flags: bool) -> Self:
        """With added tokens, each on its id in the vocabulary or else on the next that is free."""
        listed = list(self.tokenizer.get("added_tokens") or ())
        known = self.vocab
        for token in tokens:
            id = known.setdefault(token, max(known.values(), default=-1) + 1)
            listed.append({"id": id, "content": token, "special": special, **FLAGS, **flags})
        return self.changed(added_tokens=listed)

    @property
    def vocab(self) -> dict[str, int]:
        """The id of each token, added ones included."""
        vocab = self.tokenizer["model"]["vocab"]
        known = dict(vocab) if isinstance(vocab, Mapping) else ids(piece for piece, _ in vocab)
        added = self.tokenizer.get("added_tokens") or ()
        return known | {token["content"]: token["id"] for token in added}

    def config(self, **keys: object) -> Self:
        """With a config.json."""
        return self.settings("config.json", **keys)

    def tokenizer_config(self, **keys: object) -> Self:
        """With a tokenizer_config.json."""
        return self.settings("tokenizer_config.json", **keys)

    def template(self, text: str) -> Self:
        """With a chat template in tokenizer_config.json."""
        return self.tokenizer_config(chat_template=text)

    def settings(self, name: str, **keys: object) -> Self:
        """With these keys in a file of settings, next to those that it has."""
        return self.file(name, {**json.loads(self.files.get(name, b"{}")), **keys})

    def file(self, name: str, content: object) -> Self:
        """With one more file: bytes and text as they are, anything else as JSON."""
        text = content if isinstance(content, str) else ""
        data = content if isinstance(content, bytes) else text.encode() or written(content)
        return replace(self, files={**self.files, name: data})

    def weights(self, name: str = "model.safetensors", **shapes: Sequence[int]) -> Self:
        """With a safetensors file of zeros: the names of matrices, `__` for a point, and shapes."""
        return self.file(name, safetensors({k.replace("__", "."): s for k, s in shapes.items()}))

    def gguf(self, keys: Mapping[str, gguf_files.Value], name: str = "model.gguf") -> Self:
        """With a GGUF file of these keys."""
        return self.file(name, gguf_files.gguf(keys))

    def text(self) -> str:
        """The tokenizer.json alone."""
        return json.dumps(self.tokenizer)

    def write(self, path: Path) -> Path:
        """Write all files into a folder, which need not exist."""
        whole = {**({TOKENIZER: written(self.tokenizer)} if self.tokenizer else {}), **self.files}
        for name, data in whole.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
        return path


def ids(tokens: Iterable[str]) -> dict[str, int]:
    """Ids in the order of the tokens; one that is listed again keeps its first."""
    return {token: id for id, token in enumerate(dict.fromkeys(tokens))}


def written(value: object) -> bytes:
    """JSON as files of settings hold it."""
    return json.dumps(value).encode()


def safetensors(shapes: Mapping[str, Sequence[int]]) -> bytes:
    """A file of zeros in half precision with a matrix for each name."""
    zeros = {name: (shape, bytes(2 * math.prod(shape))) for name, shape in shapes.items()}
    return tensors("F16", zeros)


def tensors(dtype: str, blocks: Mapping[str, tuple[Sequence[int], bytes]]) -> bytes:
    """A safetensors file of one type of numbers: the shape and the bytes of each name."""
    header, at = {}, 0
    for name, (shape, block) in blocks.items():
        end = at + len(block)
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    head = written(header)
    return struct.pack("<Q", len(head)) + head + b"".join(block for _, block in blocks.values())
