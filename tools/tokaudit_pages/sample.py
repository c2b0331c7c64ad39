"""The folder in which the examples of the pages run: small checkpoints and some text."""

from __future__ import annotations

import json
from pathlib import Path

from tokaudit.products.demo.checkpoints import (
    SPECIAL,
    small_tokenizer,
    write_checkpoints,
    write_json,
)

ROOT = Path(__file__).resolve().parents[2]
TEXT = "It is one thing to say that two tokenizers are the same, another to show it.\n"
CHAT = {
    "messages": [
        {"role": "user", "content": "What is a token?"},
        {"role": "assistant", "content": "A piece of text with an id."},
    ]
}


def write_sample(folder: Path) -> None:
    """What the pages name: `models/`, `ids/`, `corpus.txt`, `conversations.jsonl`."""
    write_checkpoints(folder / "models")
    write_pair(folder)
    write_ids(folder / "ids", folder / "models/checkpoint/tokenizer.json")
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
        write_json(path / "tokenizer.json", tokenizer)


def write_ids(folder: Path, tokenizer: Path) -> None:
    """Two shards of the sentence in many forms."""
    from tokenizers import Tokenizer

    library = Tokenizer.from_file(str(tokenizer))
    end = library.token_to_id(SPECIAL[2])
    folder.mkdir()
    for shard in range(2):
        rows = [[*library.encode(f"{n} times: {TEXT}").ids, end] for n in range(9 * shard + 9)]
        lines = [json.dumps({"input_ids": row}) + "\n" for row in rows]
        (folder / f"part-{shard}.jsonl").write_text("".join(lines), encoding="utf-8")
