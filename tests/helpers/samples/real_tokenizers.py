"""Small copies of published tokenizers, in the files that repositories hold them in.

A copy keeps the special tokens, the alphabet and the first merges or pieces, so that an audit of it
takes seconds; nothing else is changed.
"""

from __future__ import annotations

import copy
import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokaudit_reference.text.bytes_alphabet import BYTE_OF

Json = dict[str, Any]
Shapes = Mapping[str, list[int]]
MERGES = 400
PIECES = 500


def read(material: Path, name: str) -> Json:
    """A published tokenizer.json."""
    found: Json = json.loads((material / "tokenizers" / name / "tokenizer.json").read_bytes())
    return found


def small_bpe(whole: Json, merges: int = MERGES) -> Json:
    """The first merges, what they make, the alphabet and the added tokens, numbered in order."""
    data = copy.deepcopy(whole)
    model = data["model"]
    kept = model["merges"][:merges]
    pairs = [m.split(" ") if isinstance(m, str) else m for m in kept]
    made = {left + right for left, right in pairs}
    suffix = model.get("end_of_word_suffix") or ""
    letters = {*BYTE_OF, *(f"{c}{suffix}" for c in BYTE_OF)}
    added = {t["content"] for t in data["added_tokens"]}
    ordered = sorted(model["vocab"], key=model["vocab"].__getitem__)
    tokens = [t for t in ordered if t in letters or t in made or t in added]
    tokens += [t["content"] for t in data["added_tokens"] if t["content"] not in tokens]
    ids = {token: id for id, token in enumerate(tokens)}
    model |= {"merges": kept, "vocab": {t: id for t, id in ids.items() if t in model["vocab"]}}
    _renumber(data, ids)
    return data


def small_unigram(whole: Json) -> Json:
    """The first pieces, every character among them, and the added tokens."""
    data = copy.deepcopy(whole)
    vocab = data["model"]["vocab"]
    added = {t["content"] for t in data["added_tokens"]}
    kept = [
        entry
        for place, entry in enumerate(vocab)
        if place < PIECES or entry[0] in added or (len(entry[0]) == 1 and entry[0].isascii())
    ]
    data["model"]["vocab"] = kept
    ids = {entry[0]: id for id, entry in enumerate(kept)}
    for token in data["added_tokens"]:
        ids.setdefault(token["content"], len(ids))
    _renumber(data, ids)
    return data


def _renumber(data: Json, ids: Mapping[str, int]) -> None:
    for token in data["added_tokens"]:
        token["id"] = ids[token["content"]]
    data["added_tokens"].sort(key=lambda token: token["id"])
    post = data.get("post_processor") or {}
    for token in (post.get("special_tokens") or {}).values():
        token["ids"] = [ids[name] for name in token["tokens"]]
    for side in ("sep", "cls"):
        if side in post:
            post[side] = [post[side][0], ids[post[side][0]]]


def small_model(data: bytes, pieces: int = PIECES) -> bytes:
    """The first pieces of a SentencePiece file, and its settings."""
    at, kept, left = 0, bytearray(), pieces
    while at < len(data):
        field, (length, start) = data[at] >> 3, _varint(data, at + 1)
        end = start + length
        if field != 1 or left > 0:
            kept += data[at:end]
        left -= field == 1
        at = end
    return bytes(kept)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def ids_of(data: Json) -> dict[str, int]:
    """Token -> id of a tokenizer.json, added tokens included."""
    vocab = data["model"]["vocab"]
    ids = dict(vocab) if isinstance(vocab, dict) else {e[0]: n for n, e in enumerate(vocab)}
    return ids | {token["content"]: token["id"] for token in data["added_tokens"]}


def put(path: Path, data: Any) -> None:
    """Write JSON, or bytes as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())


def pair(folder: Path, data: Json, vocab: str = "vocab.json", merges: str = "merges.txt") -> None:
    """The two files that a slow class reads."""
    pairs = [m if isinstance(m, str) else " ".join(m) for m in data["model"]["merges"]]
    put(folder / vocab, ids_of(data))
    put(folder / merges, ("#version: 0.2\n" + "".join(f"{m}\n" for m in pairs)).encode())


def weights(path: Path, shapes: Shapes) -> None:
    """A safetensors file of zeros."""
    header, at = {}, 0
    for name, shape in shapes.items():
        end = at + 2 * math.prod(shape)
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    put(path, struct.pack("<Q", len(text)) + text + bytes(at))


def edit(path: Path, change: Any) -> None:
    """Change a JSON file in place."""
    data = json.loads(path.read_bytes())
    change(data)
    put(path, data)
