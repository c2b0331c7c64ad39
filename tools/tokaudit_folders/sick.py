"""A small healthy checkpoint folder, and how its files are read, written and changed.

`healthy(folder)` writes a byte-level BPE tokenizer in every form that loaders read, with configs
and weights; `tokaudit_faults.folders.checkpoint` breaks it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tokaudit_folders.folder import safetensors

TEXT = (
    "the cat and the other cat sat on the mat while the rain in the plain fell mainly there "
    "and then another theory of weather was gathered rather than tested by the brothers "
    "counting 1234 numbers and punctuation, however rare; it is better to measure than to guess "
    "where words begin and where words end when nobody has written down the rules for them "
)
SPECIALS = ("<|end|>", "<|pad|>", "<|user|>", "<|assistant|>")
TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def alphabet() -> dict[int, str]:
    """Byte -> the character that byte-level files write it with, in id order."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {b: chr(256 + i) for i, b in enumerate(rest)}


@cache
def train(merges: int = 120) -> tuple[tuple[str, str], ...]:
    """Merges learned from TEXT, most frequent pair first, in byte-level spelling."""
    words = Counter(" " + word for word in TEXT.split())
    table = alphabet()
    split = {word: [table[byte] for byte in word.encode()] for word in words}
    learned: list[tuple[str, str]] = []
    while len(learned) < merges:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, parts in split.items():
            for pair in pairwise(parts):
                pairs[pair] += words[word]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        learned.append(best)
        split = {word: _merge(parts, best) for word, parts in split.items()}
    return tuple(learned)


def _merge(parts: list[str], pair: tuple[str, str]) -> list[str]:
    merged: list[str] = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def healthy(folder: Path) -> Path:
    """Write the healthy checkpoint into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    merges = train()
    vocab = {token: id for id, token in enumerate(sorted(alphabet().values()))}
    for left, right in merges:
        vocab.setdefault(left + right, len(vocab))
    first = len(vocab)
    added = [_added(first + place, content) for place, content in enumerate(SPECIALS)]
    write(folder / "tokenizer.json", _tokenizer(vocab, merges, added))
    write(folder / "vocab.json", vocab)
    lines = "\n".join(["#version: 0.2", *(f"{left} {right}" for left, right in merges), ""])
    (folder / "merges.txt").write_bytes(lines.encode())
    _configs(folder, first, added)
    rows = first + len(SPECIALS)
    weights(folder, {"model.embed_tokens.weight": rows, "lm_head.weight": rows})
    return folder


def _added(id: int, content: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": id, "content": content, **flags, "special": True}


def declared(tokens: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Added tokens as tokenizer_config.json declares them."""
    return {str(t["id"]): {k: v for k, v in t.items() if k != "id"} for t in tokens}


def _tokenizer(vocab: Any, merges: Any, added: Any) -> dict[str, Any]:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "vocab": vocab,
        "merges": [f"{left} {right}" for left, right in merges],
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": level | {"use_regex": True},
        "post_processor": level | {"use_regex": True},
        "decoder": level | {"use_regex": True},
        "model": model,
    }


def _configs(folder: Path, first: int, added: list[dict[str, Any]]) -> None:
    roles = {"eos_token": "<|end|>", "pad_token": "<|pad|>"}
    write(folder / "special_tokens_map.json", roles)
    write(
        folder / "tokenizer_config.json",
        {
            **roles,
            "added_tokens_decoder": declared(added),
            "chat_template": TEMPLATE,
            "clean_up_tokenization_spaces": False,
            "model_input_names": ["input_ids", "attention_mask"],
            "model_max_length": 2048,
            "padding_side": "right",
            "tokenizer_class": "PreTrainedTokenizerFast",
        },
    )
    write(
        folder / "config.json",
        {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "eos_token_id": first,
            "pad_token_id": first + 1,
            "vocab_size": first + len(added),
            "max_position_embeddings": 2048,
            "tie_word_embeddings": False,
        },
    )
    write(folder / "generation_config.json", {"eos_token_id": [first], "pad_token_id": first + 1})


def weights(folder: Path, heights: dict[str, int]) -> None:
    """Write a safetensors file with one matrix of 8 columns for each name."""
    shapes = {name: (rows, 8) for name, rows in heights.items()}
    (folder / "model.safetensors").write_bytes(safetensors(shapes))


def read(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, value: Any) -> None:
    """Write a JSON file."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")


def edit(folder: Path, name: str, change: Callable[[Any], None]) -> None:
    """Change a JSON file in place."""
    value = read(folder / name)
    change(value)
    write(folder / name, value)


def state(folder: Path, name: str, **keys: Any) -> None:
    """State keys in a JSON file."""
    edit(folder, name, lambda stated: stated.update(keys))


def swap(vocab: dict[str, int], one: int, other: int) -> None:
    """Exchange two ids of a vocabulary."""
    names = {id: token for token, id in vocab.items()}
    vocab[names[one]], vocab[names[other]] = other, one


def only_tokenizer(folder: Path) -> None:
    """Delete the copies, so that tokenizer.json must give itself away."""
    (folder / "vocab.json").unlink(missing_ok=True)
    (folder / "merges.txt").unlink(missing_ok=True)


def template(folder: Path, text: str) -> None:
    """Give the folder another chat template."""
    state(folder, "tokenizer_config.json", chat_template=text)


def add_a_token(folder: Path, content: str, special: bool = True) -> None:
    """Give the folder one added token more."""
    token = _added(380, content) | {"special": special}
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"].append(token))


def add_everywhere(folder: Path, *contents: str, special: bool = True) -> None:
    """Give the folder more added tokens wherever tokens are stated, and rows for them."""
    tokens = [_added(380 + n, each) | {"special": special} for n, each in enumerate(contents)]
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"].extend(tokens))
    name = "tokenizer_config.json"
    edit(folder, name, lambda c: c["added_tokens_decoder"].update(declared(tokens)))
    rows = 380 + len(tokens)
    state(folder, "config.json", vocab_size=rows)
    weights(folder, {"model.embed_tokens.weight": rows, "lm_head.weight": rows})


def write_plain_text_bpe(folder: Path, *, normalizer: Any = None) -> None:
    """Replace the tokenizer by a BPE of characters with neither unknown token nor fallback."""
    only_tokenizer_json(folder)
    merges = [("h", "u"), ("hu", "g")]
    vocab = {token: id for id, token in enumerate(["g", "h", "p", "u", "hu", "hug"])}
    plain = _tokenizer(vocab, merges, []) | dict.fromkeys(("post_processor", "decoder"))
    cut = {"type": "Whitespace"}
    write(folder / "tokenizer.json", plain | {"normalizer": normalizer, "pre_tokenizer": cut})


def rank_file(folder: Path) -> list[str]:
    """Replace the tokenizer by a rank file of the same tokens; returns its lines."""
    vocab = read(folder / "tokenizer.json")["model"]["vocab"]
    for path in folder.iterdir():
        path.unlink()
    byte_of = {character: byte for byte, character in alphabet().items()}
    tokens = [bytes(byte_of[character] for character in token) for token in vocab]
    lines = [f"{b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens)]
    (folder / "small.tiktoken").write_text("\n".join([*lines, ""]))
    return lines


def only_tokenizer_json(folder: Path) -> None:
    """Leave tokenizer.json alone in the folder, so that nothing next to it can contradict it."""
    for path in folder.iterdir():
        if path.name != "tokenizer.json":
            path.unlink()


def edit_alone(folder: Path, change: Callable[[Any], None]) -> None:
    """Change a tokenizer.json that is alone in its folder."""
    only_tokenizer_json(folder)
    edit(folder, "tokenizer.json", change)
