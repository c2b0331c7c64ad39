"""The folder in which the examples of the pages run: small checkpoints and some text."""

from __future__ import annotations

import json
import struct
from copy import deepcopy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
YARDSTICK = ROOT / "suites/tokaudit_suites/throughput/yardstick.json"
MERGES = 200  # enough to be a tokenizer, and few enough to be audited often
WIDTH = 4  # of the embedding rows
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] "
    "+ '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
TEXT = "It is one thing to say that two tokenizers are the same, another to show it.\n"
CHAT = {
    "messages": [
        {"role": "user", "content": "What is a token?"},
        {"role": "assistant", "content": "A piece of text with an id."},
    ]
}


def write_sample(folder: Path) -> None:
    """What the pages name: `models/`, `corpus.txt`, `conversations.jsonl`."""
    tokenizer = small_tokenizer()
    size = _size(tokenizer) + len(SPECIAL)
    write_checkpoint(folder / "models/checkpoint", tokenizer, size)
    write_checkpoint(folder / "models/cut", tokenizer, size - 1)
    write_checkpoint(folder / "models/finetuned", changed(tokenizer), size)
    write_pair(folder)
    (folder / "corpus.txt").write_text(TEXT * 50, encoding="utf-8")
    (folder / "conversations.jsonl").write_text(json.dumps(CHAT) + "\n", encoding="utf-8")


def write_pair(folder: Path) -> None:
    """The two tokenizers of the page about the gate; both have a hole in their ids."""
    tokenizer = small_tokenizer()
    vocab = tokenizer["model"]["vocab"]
    vocab[max(vocab, key=vocab.__getitem__)] += 1
    for name in ("base", "chat"):
        path = folder / "models" / name
        path.mkdir(parents=True)
        _write(path / "tokenizer.json", tokenizer)


def small_tokenizer() -> Any:
    """The first merges of the built-in tokenizer, and the tokens that they make."""
    tokenizer = json.loads(YARDSTICK.read_text(encoding="utf-8"))
    model = tokenizer["model"]
    pairs = [merge if isinstance(merge, list) else merge.split(" ") for merge in model["merges"]]
    model["merges"] = pairs[:MERGES]
    made = {"".join(pair) for pair in model["merges"]}
    kept = sorted(
        (token for token in model["vocab"] if len(token) == 1 or token in made),
        key=model["vocab"].__getitem__,
    )
    model["vocab"] = {token: id for id, token in enumerate(kept)}
    return tokenizer


def changed(tokenizer: Any) -> Any:
    """The tokenizer without one merge: the same ids, another cut of every text that needs it."""
    other = deepcopy(tokenizer)
    other["model"]["merges"].remove(["Ġt", "he"])
    return other


def write_checkpoint(path: Path, tokenizer: Any, rows: int) -> None:
    """A folder as a trainer saves it, whose embedding and head have so many rows."""
    path.mkdir(parents=True)
    saved = deepcopy(tokenizer)
    first = _size(tokenizer)
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    saved["added_tokens"] = [
        {"id": first + n, "content": token, "special": True} | flags
        for n, token in enumerate(SPECIAL)
    ]
    _write(path / "tokenizer.json", saved)
    _write(
        path / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "eos_token": SPECIAL[2],
            "pad_token": SPECIAL[0],
            "padding_side": "left",
            "clean_up_tokenization_spaces": False,
            "chat_template": TEMPLATE,
        },
    )
    ids = {"eos_token_id": first + 2, "pad_token_id": first}
    _write(path / "config.json", {"model_type": "llama", "vocab_size": rows} | ids)
    _write(path / "generation_config.json", ids)
    write_weights(path / "model.safetensors", rows)


def write_weights(path: Path, rows: int) -> None:
    """An embedding and a head of zeros."""
    bytes_of_one = rows * WIDTH * 2
    header = {
        name: {"dtype": "BF16", "shape": [rows, WIDTH], "data_offsets": [start, start + length]}
        for name, start, length in (
            ("model.embed_tokens.weight", 0, bytes_of_one),
            ("lm_head.weight", bytes_of_one, bytes_of_one),
        )
    }
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(2 * bytes_of_one))


def _size(tokenizer: Any) -> int:
    vocab: dict[str, int] = tokenizer["model"]["vocab"]
    return 1 + max(vocab.values())


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
