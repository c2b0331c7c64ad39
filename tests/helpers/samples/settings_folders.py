"""Small folders on which rules of settings show: words of BERT, marks of Llama, tokens of Whisper."""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit_folders.folder import Folder

Json = dict[str, Any]


def made_of(name: str, folder: Path) -> Path:
    """A new folder of one of the kinds of `FOLDERS`."""
    folder.mkdir()
    for file, data in FOLDERS[name]().items():
        (folder / file).write_text(json.dumps(data), "utf-8")
    return folder


def _ids(tokens: Sequence[str]) -> dict[str, int]:
    return {token: id for id, token in enumerate(tokens)}


def _added(tokens: Mapping[str, int]) -> list[Json]:
    flags = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False}
    return [{"id": id, "content": text, "special": True, **flags} for text, id in tokens.items()]


def words() -> dict[str, Json]:
    """A cased WordPiece with accents, whose config states what its normalizer does."""
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    letters = [*string.ascii_letters, "é", "中", "文"]
    vocab = _ids([*special, *letters, *(f"##{letter}" for letter in letters)])
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
    normalizer |= {"strip_accents": False, "lowercase": False}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    model |= {"max_input_chars_per_word": 100, "vocab": vocab}
    first, second = ({"Sequence": {"id": id, "type_id": type}} for id, type in (("A", 0), ("B", 1)))
    tokenizer = {
        "added_tokens": _added({token: vocab[token] for token in special}),
        "normalizer": normalizer,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [first],
            "pair": [first, second],
            "special_tokens": {},
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": model,
    }
    settings = {"tokenizer_class": "BertTokenizer", "do_lower_case": False}
    settings |= {"strip_accents": False, "tokenize_chinese_chars": True}
    return {"tokenizer.json": tokenizer, "tokenizer_config.json": settings}


def marks() -> dict[str, Json]:
    """A BPE with a mark before the first piece, as LlamaTokenizer builds it in transformers 5."""
    special = ("<unk>", "<s>", "</s>")
    vocab = _ids([*special, "▁", *string.ascii_lowercase])
    cut = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    model = Folder.bpe(vocab, unk_token="<unk>", fuse_unk=True).tokenizer["model"]
    tokenizer = {
        "added_tokens": _added({token: vocab[token] for token in special}),
        "pre_tokenizer": cut,
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"},
        "model": model,
    }
    settings = {"tokenizer_class": "LlamaTokenizer", "legacy": False}
    return {
        "tokenizer.json": tokenizer,
        "tokenizer_config.json": settings,
        "config.json": {"model_type": "llama"},
    }


def speech() -> dict[str, Json]:
    """Whisper's tokens, and three files that let it write down English."""
    special = ("<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|startofprev|>", "<|hi|>")
    special = (*special, "<|translate|>", "<|transcribe|>", "<|notimestamps|>")
    vocab = _ids([*special, *string.ascii_lowercase])
    model = Folder.bpe(vocab).tokenizer["model"]
    said = {"task": "transcribe", "language": "en"}
    listed = _added({token: vocab[token] for token in special})
    return {
        "tokenizer.json": {"added_tokens": listed, "model": model},
        "tokenizer_config.json": {"tokenizer_class": "WhisperTokenizer", **said},
        "generation_config.json": said,
    }


def sentinels() -> dict[str, Json]:
    """T5's sentinels after letters."""
    vocab = _ids([*string.ascii_lowercase, *(f"<extra_id_{n}>" for n in range(3))])
    listed = _added({token: id for token, id in vocab.items() if len(token) > 1})
    model = Folder.bpe(vocab).tokenizer["model"]
    tokenizer = {"added_tokens": listed, "model": model}
    return {"tokenizer.json": tokenizer, "tokenizer_config.json": {}}


FOLDERS: Mapping[str, Callable[[], dict[str, Json]]] = {
    "words": words,
    "marks": marks,
    "speech": speech,
    "sentinels": sentinels,
}
