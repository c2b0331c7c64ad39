"""Small tokenizers that are written down twice, every copy saying the same; and ways to edit one."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from tokaudit_folders import gguf_files
from tokaudit_folders.example_folders import sentencepiece
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

Edit = Callable[[Folder], Folder]
Json = dict[str, Any]

MERGES = ["t h", "th e", "\u0120 the", "c a", "ca t", "\u0120 cat"]
MADE = (b"th", b"the", b" the", b"ca", b"cat", b" cat")
SPECIAL = ("<s>", "</s>", "<pad>", "<|im_start|>", "<|im_end|>")
TOOL = "<tool>"
ROLES = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
TURN = "<|im_start|>{{ m.role }} {{ m.content }}<|im_end|>"
TEMPLATE = f"{{% for m in messages %}}{TURN}{{% endfor %}}"
OTHER_TEMPLATE = TEMPLATE.replace("<|im_end|>", "</s>")
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
PATTERN = r"\p{L}+| ?[^\s\p{L}]+|\s+"
BPE = Folder.bpe([*BYTE_OF], MERGES).changed(
    normalizer=None, pre_tokenizer=LEVEL, post_processor=LEVEL, decoder=LEVEL
)
PIECES = (("<unk>", 2), ("<s>", 3), ("</s>", 3), ("<|im_end|>", 3), (TOOL, 4))
PIECES += tuple((piece, 1) for piece in ("\u2581", "a", "b", "\u2581a", "ab"))
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##a", "##b", "ab")


def with_settings(folder: Folder) -> Folder:
    """The settings files that transformers saves, with every added token."""
    ids = {f"{role}_id": folder.vocab[token] for role, token in ROLES.items()}
    listed = folder.tokenizer["added_tokens"]
    decoder = {str(t["id"]): {k: v for k, v in t.items() if k != "id"} for t in listed}
    return (
        folder.tokenizer_config(**ROLES, added_tokens_decoder=decoder, chat_template=TEMPLATE)
        .settings("special_tokens_map.json", **ROLES)
        .settings("generation_config.json", **ids)
    )


def tables() -> Folder:
    """A tokenizer.json, and the files that classes in plain Python read."""
    folder = with_settings(BPE.added(*SPECIAL).added(TOOL, special=False))
    added = {token["content"]: token["id"] for token in folder.tokenizer["added_tokens"]}
    merges = "\n".join(["#version: 0.2", *MERGES, ""])
    vocab = folder.tokenizer["model"]["vocab"]
    return folder.file("vocab.json", vocab).file("merges.txt", merges).file(ADDED, added)


def with_gguf(**changed: Callable[[Any], Any]) -> Folder:
    """A tokenizer.json and a GGUF file, some of whose keys are changed."""
    folder = with_settings(BPE.added(*SPECIAL).added(TOOL, special=False))
    ids = folder.vocab
    control, own = gguf_files.CONTROL, gguf_files.USER_DEFINED
    types = [control if t in SPECIAL else own if t == TOOL else gguf_files.NORMAL for t in ids]
    keys = gguf_files.tokenizer(
        "gpt2",
        list(ids),
        pre=(gguf_files.TEXT, "gpt-2"),
        merges=(gguf_files.TEXT, MERGES),
        token_type=(gguf_files.I32, types),
        bos_token_id=(gguf_files.U32, ids["<s>"]),
        eos_token_id=(gguf_files.U32, ids["</s>"]),
        padding_token_id=(gguf_files.U32, ids["<pad>"]),
        eot_token_id=(gguf_files.U32, ids["<|im_end|>"]),
        add_bos_token=(gguf_files.BOOL, False),
    )
    keys["tokenizer.chat_template"] = (gguf_files.TEXT, TEMPLATE)
    for name, change in changed.items():
        key = "tokenizer.chat_template" if name == "template" else f"tokenizer.ggml.{name}"
        kind, value = keys[key]
        keys[key] = (kind, change(value))
    return folder.gguf(keys)


def with_tekken() -> Folder:
    """Mistral's file, which loaders prefer, and a tokenizer.json with the special tokens first."""
    named = ("<unk>", *SPECIAL, "[INST]", "[/INST]")
    spelled = {byte: character for character, byte in BYTE_OF.items()}
    tokens = [*(bytes([byte]) for byte in range(256)), *MADE]
    entries = ["".join(spelled[byte] for byte in token) for token in tokens]
    vocab = {token: id for id, token in enumerate([*named, *entries])}
    split = {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated"}
    steps = [{**split, "invert": False}, {**LEVEL, "use_regex": False}]
    whole = Folder.bpe(vocab, MERGES, ignore_merges=True).changed(
        normalizer=None,
        pre_tokenizer={"type": "Sequence", "pretokenizers": steps},
        post_processor=None,
        decoder=LEVEL,
    )
    size = {"default_vocab_size": len(vocab), "default_num_special_tokens": len(named)}
    listed = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(tokens)
    ]
    special = [{"rank": rank, "token_str": text} for rank, text in enumerate(named)]
    tekken = {"config": {"pattern": PATTERN, **size}, "vocab": listed, "special_tokens": special}
    return whole.added(*named).file("tekken.json", tekken)


def with_pieces(pieces: Sequence[tuple[str, int]] = PIECES) -> Folder:
    """A tokenizer.json of a Unigram, and a SentencePiece model of these pieces."""
    whole = Folder.unigram([(piece, 0.0) for piece, _ in PIECES])
    whole = whole.added(*(text for text, kind in PIECES if kind in (2, 3)))
    data = sentencepiece({"pieces": [list(piece) for piece in pieces]})
    return whole.added(TOOL, special=False).file("tokenizer.model", data)


def with_words(words: Sequence[str] = WORDS) -> Folder:
    """A tokenizer.json of a WordPiece, and the vocab.txt of its class."""
    folder = Folder.wordpiece(WORDS).added(*WORDS[:5]).file("vocab.txt", "\n".join([*words, ""]))
    return folder.tokenizer_config(tokenizer_class="BertTokenizer")


def with_export() -> Folder:
    """A tokenizer with its settings, and the same files in a folder for an export."""
    folder = with_settings(BPE.added(*SPECIAL).added(TOOL, special=False))
    found = folder.file("onnx/tokenizer.json", dict(folder.tokenizer))
    for name, data in folder.files.items():
        found = found.file(f"onnx/{name}", data)
    return found


ADDED = "added_tokens.json"


def edited(name: str, change: Callable[[Json], object]) -> Edit:
    """The change of one JSON file, in place."""

    def edit(folder: Folder) -> Folder:
        if name == "tokenizer.json":
            whole = deepcopy(dict(folder.tokenizer))
            change(whole)
            return replace(folder, tokenizer=whole)
        data = json.loads(folder.files[name])
        change(data)
        return folder.file(name, data)

    return edit


def added(text: str, **flags: object) -> Callable[[Json], object]:
    """Other flags of one added token of a tokenizer.json."""
    return lambda whole: _entry(whole["added_tokens"], text).update(flags)


def stated(text: str, **flags: object) -> Callable[[Json], object]:
    """Other flags of one token of added_tokens_decoder."""
    return lambda data: _entry(data["added_tokens_decoder"].values(), text).update(flags)


def _entry(entries: Any, text: str) -> Json:
    return next(entry for entry in entries if entry["content"] == text)


def put(at: int, value: object) -> Callable[[list[Any]], list[Any]]:
    """A list with one other entry."""
    return lambda items: [value if place == at else item for place, item in enumerate(items)]


def exchanged(one: int, other: int) -> Callable[[list[Any]], list[Any]]:
    """A list with two entries in each other's places."""
    moved: Mapping[int, int] = {one: other, other: one}
    return lambda items: [items[moved.get(place, place)] for place in range(len(items))]


def swap(table: Json, one: str, other: str) -> None:
    """Exchange the values of two keys."""
    table[one], table[other] = table[other], table[one]
