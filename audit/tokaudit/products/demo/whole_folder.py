"""Writes everything that the pages of the documentation name next to the three checkpoints.

A base and a chat tokenizer for the gate, a corpus and held-out text, a conversation, token ids in
two shards, and a `tokaudit.toml`.
"""

from __future__ import annotations

import json
from pathlib import Path

from tokaudit.products.demo.checkpoints import (
    SPECIAL,
    small_tokenizer,
    write_checkpoints,
    write_json,
)

TEXT = "It is one thing to say that two tokenizers are the same, another to show it.\n"
HELD_OUT = "Whether it holds for other text, only other text can tell.\n"
CHAT = {
    "messages": [
        {"role": "user", "content": "What is a token?"},
        {"role": "assistant", "content": "A piece of text with an id."},
    ]
}
GATE = """\
# `tokaudit gate` judges these tokenizers together; docs/gate.md lists every key.
tier = "quick"

[[subjects]]
path = "models/checkpoint"

[[subjects]]
path = "models/finetuned"
base = "models/checkpoint"
"""
SHARDS = 2
ROWS = 9  # of the first shard; each shard has as many more


def write_folder(folder: Path) -> None:
    """Write `models/`, `ids/`, `corpus.txt`, `held-out.txt`, `conversations.jsonl` and the gate."""
    write_checkpoints(folder / "models")
    write_pair(folder / "models")
    write_ids(folder / "ids", folder / "models/checkpoint")
    texts = {
        "corpus.txt": TEXT * 50,
        "held-out.txt": HELD_OUT * 5,
        "conversations.jsonl": json.dumps(CHAT) + "\n",
        "tokaudit.toml": GATE,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def write_pair(models: Path) -> None:
    """Write `base` and `chat`, two tokenizers that both have a hole in their ids."""
    tokenizer = small_tokenizer()
    vocab = tokenizer["model"]["vocab"]
    vocab[max(vocab, key=vocab.__getitem__)] += 1
    for name in ("base", "chat"):
        (models / name).mkdir(parents=True)
        write_json(models / name / "tokenizer.json", tokenizer)


def write_ids(folder: Path, tokenizer: Path) -> None:
    """Write shards of token ids, the sentence in many forms, as the reference encodes it."""
    from tokaudit.subject.opening import open_subject
    from tokaudit.subject.representations import parse_all
    from tokaudit_reference.tokenizer import ReferenceTokenizer

    spec = parse_all(open_subject(str(tokenizer))).parsed[0][1]
    reference = ReferenceTokenizer(spec)
    end = next(token.id for token in spec.added_tokens if token.content == SPECIAL[2])
    folder.mkdir()
    for shard in range(SHARDS):
        texts = [f"{n} times: {TEXT}" for n in range(ROWS * (shard + 1))]
        rows = [{"input_ids": [*reference.encode(text).ids, end]} for text in texts]
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"part-{shard}.jsonl").write_text(lines, encoding="utf-8")
