"""Write three small checkpoints in the form of trainers: one sound, two broken.

`checkpoint` is sound; `cut` has one embedding row too few; `finetuned` has all ids of `checkpoint`
and lacks one of its merges.  The pages of the documentation are about these.
"""

from __future__ import annotations

import json
import struct
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

WIDTH = 4  # of the embedding rows
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
MERGE = ["Ġt", "he"]  # that `finetuned` lacks
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] "
    "+ '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


def write_checkpoints(models: Path) -> None:
    """Write the three checkpoints into an existing folder."""
    tokenizer = small_tokenizer()
    size = size_of(tokenizer) + len(SPECIAL)
    write_checkpoint(models / "checkpoint", tokenizer, size)
    write_checkpoint(models / "cut", tokenizer, size - 1)
    other = deepcopy(tokenizer)
    other["model"]["merges"].remove(MERGE)
    write_checkpoint(models / "finetuned", other, size)


def small_tokenizer() -> Any:
    """Build a byte-level BPE of 200 merges."""
    return json.loads(
        files("tokaudit.products.demo").joinpath("small_tokenizer.json").read_text("utf-8")
    )


def size_of(tokenizer: Any) -> int:
    """Count the ids that its vocabulary needs."""
    vocab: dict[str, int] = tokenizer["model"]["vocab"]
    return 1 + max(vocab.values())


def write_checkpoint(path: Path, tokenizer: Any, rows: int) -> None:
    """Write a folder as a trainer does, with this many rows in embedding and head."""
    path.mkdir(parents=True)
    first = size_of(tokenizer)
    added = [
        {"id": first + n, "content": token, "special": True} | FLAGS
        for n, token in enumerate(SPECIAL)
    ]
    ids = {"eos_token_id": first + 2, "pad_token_id": first}
    write_json(path / "tokenizer.json", {**tokenizer, "added_tokens": added})
    write_json(path / "tokenizer_config.json", tokenizer_config())
    write_json(path / "config.json", {"model_type": "llama", "vocab_size": rows} | ids)
    write_json(path / "generation_config.json", ids)
    write_weights(path / "model.safetensors", rows)


def tokenizer_config() -> dict[str, Any]:
    """Return the settings next to the tokenizer."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": SPECIAL[2],
        "pad_token": SPECIAL[0],
        "padding_side": "left",
        "clean_up_tokenization_spaces": False,
        "chat_template": TEMPLATE,
    }


def write_weights(path: Path, rows: int) -> None:
    """Write an embedding and a head of zeros, in bfloat16."""
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


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file."""
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
