"""A small tokenizer in memory, and batches as collators make them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tokaudit
from tokaudit.products.demo.checkpoints import small_tokenizer
from tokaudit_folders.folder import Folder

SPECIAL = ("<s>", "</s>", "<pad>", "<|im_start|>", "<|im_end|>")
BOS, EOS, PAD, START, END = range(456, 461)
SIZE = 461
CONFIG = {
    "model_type": "llama",
    "vocab_size": SIZE,
    "max_position_embeddings": 64,
    "bos_token_id": BOS,
    "eos_token_id": EOS,
    "pad_token_id": PAD,
}
ROLES = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
IGNORED = -100


class InMemory:
    """A tokenizer as those of transformers: it writes its folder and nothing else."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def save_pretrained(self, path: str) -> None:
        self.folder.write(Path(path))


class Matrix:
    """Has the shape of a matrix."""

    def __init__(self, *shape: int) -> None:
        self.shape = shape


class Tensor:
    """Gives its values by `tolist`, as tensors do, and has a shape; it is no sequence."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows
        self.shape = (len(rows), len(rows[0]))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice) -> Tensor:
        return Tensor(self.rows[part])

    def tolist(self) -> list[list[int]]:
        return self.rows


def tokenizer(**settings: object) -> InMemory:
    """The sound tokenizer, with other settings where they are given."""
    roles = {**ROLES, **settings}
    folder = Folder(small_tokenizer()).added(*SPECIAL)
    return InMemory(folder.tokenizer_config(**{k: v for k, v in roles.items() if v is not None}))


def padded(*rows: list[int], labels: list[list[int]] | None = None, left: bool = False) -> Any:
    """A batch as collators of TRL and transformers make it: padded, masked, labels -100 there."""
    width = max(map(len, rows))

    def fill(row: list[int], value: int) -> list[int]:
        rest = [value] * (width - len(row))
        return rest + row if left else row + rest

    return {
        "input_ids": [fill(row, PAD) for row in rows],
        "attention_mask": [fill([1] * len(row), 0) for row in rows],
        "labels": [fill(row, IGNORED) for row in labels or rows],
    }


def findings(
    batch: Any, use: str | None = "sft", subject: object = None, **given: Any
) -> dict[str, str]:
    """Identity -> severity of what a preflight of the batch finds, or of all without a batch."""
    given = {"config": CONFIG, **given}
    try:
        report = tokaudit.preflight(subject or tokenizer(), batch=batch, use=use, **given)
    except tokaudit.Mismatch as error:
        report = error.report
    assert not [result.check for result in report.results if result.status == "crashed"]
    return {finding.identity: str(finding.severity) for finding in report.findings}
