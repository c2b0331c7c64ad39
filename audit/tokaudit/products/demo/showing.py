"""Write the checkpoints of the demo, audit each, and name its page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tokaudit.foundation.errors import NotWrittenError, UsageError
from tokaudit.foundation.paths import is_folder
from tokaudit.foundation.settings.places import NamedPath, path_of
from tokaudit.products.audit.auditing import audit
from tokaudit.products.demo.checkpoints import (
    SPECIAL,
    small_tokenizer,
    write_checkpoints,
    write_json,
)
from tokaudit.report.report import Report

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
AUDITED = {"checkpoint": "", "cut": "", "finetuned": "checkpoint"}
"""The checkpoints, and the base that each is audited against, if any."""


@dataclass(frozen=True)
class AuditedCheckpoint:
    """One audited checkpoint of the demo, its page, and the command that repeats it."""

    folder: Path
    page: Path
    command: str
    report: Report


def demo(folder: NamedPath) -> tuple[AuditedCheckpoint, ...]:
    """Write a new folder with three small checkpoints and audit them: one passes, two fail.

    The folder has what the examples of the documentation name: a corpus, ids, a gate, and more.

    Raises `UsageError` where the folder holds something.
    """
    root = path_of("folder", folder)
    refuse_taken(root)
    try:
        (root / "reports").mkdir(parents=True)
        write_folder(root)
    except OSError as error:
        raise NotWrittenError(f"{root}: cannot be written: {error.strerror}") from error
    return tuple(_shown(root, name, base) for name, base in AUDITED.items())


def _shown(root: Path, name: str, base: str) -> AuditedCheckpoint:
    subject, page = root / "models" / name, root / "reports" / f"{name}.html"
    against = root / "models" / base if base else None
    report = audit(subject, base=against)
    report.save(page)
    command = f"tokaudit audit {subject}" + (f" --base {against}" if against else "")
    return AuditedCheckpoint(subject, page, f"{command} --out {page}", report)


def refuse_taken(root: Path) -> None:
    """Raise `UsageError` where the folder holds something, before anything is written."""
    if root.exists() and (not is_folder(root) or any(root.iterdir())):
        raise UsageError(f"{root}: exists already; name a new folder, or an empty one")


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
