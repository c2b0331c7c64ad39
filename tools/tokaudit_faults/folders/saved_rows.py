"""Defects of rows for markers, of what an adapter saves, and of weights of torch."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random
from typing import Any

from tokaudit_faults.folders.rows import COLUMNS, END, ROWS, ZERO, fill, trained, write
from tokaudit_faults.healthy.folders import small
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import sick
from tokaudit_folders.folder import Folder, safetensors

HEIGHT, SAVED = "embeddings/rows", "embeddings/saved-rows"
LITERAL = (
    "{% for m in messages %}{% if m.role == 'user' %}<|user|>{% else %}<|assistant|>{% endif %}"
    "{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def literal(folder: Path) -> None:
    """The folder with rows, and a template that spells each marker."""
    trained(folder)
    sick.template(folder, LITERAL)


@breaks(literal, "embeddings/row-values", entry="P31", severity="error")
def marker_that_the_template_writes_on_a_zero_row(folder: Path) -> None:
    fill(folder, END + 2, ZERO)


@breaks(literal, "embeddings/row-values", entry="P32", severity="error")
def two_marks_of_turns_with_one_row(folder: Path) -> None:
    random = Random(0)
    rows = [[random.gauss(0, 1) for _ in range(COLUMNS)] for _ in range(ROWS)]
    rows[END + 3] = rows[END + 2]
    write(folder, rows)


def adapter(folder: Path) -> None:
    """The small tokenizer next to an adapter that saves the layers that its settings name."""
    small(folder)
    (folder / "model.safetensors").unlink()
    settings = {"base_model_name_or_path": "small", "peft_type": "LORA", "r": 2}
    settings |= {"modules_to_save": ["embed_tokens", "lm_head"]}
    sick.write(folder / "adapter_config.json", settings)
    _save(folder, ("embed_tokens", "lm_head"), ROWS)


def _save(folder: Path, layers: tuple[str, ...], rows: int) -> None:
    base = "base_model.model.model"
    shapes: dict[str, Any] = {f"{base}.{layer}.weight": (rows, 8) for layer in layers}
    shapes[f"{base}.layers.0.self_attn.q_proj.lora_A.weight"] = (2, 8)
    (folder / "adapter_model.safetensors").write_bytes(safetensors(shapes))


@breaks(adapter, SAVED, entry="P33", severity="error")
def adapter_without_the_rows_of_its_tokens(folder: Path) -> None:
    _save(folder, (), 0)


@breaks(adapter, SAVED, HEIGHT, "embeddings/output-rows", entry="P34", severity="error")
def adapter_with_the_rows_of_its_base(folder: Path) -> None:
    _save(folder, ("embed_tokens", "lm_head"), ROWS - 4)


TORCH = Path(__file__).resolve().parents[3] / "tests/audit/subject/torch_files/zip.bin"


def torch_rows(folder: Path) -> None:
    """A small vocabulary next to weights of torch, which have a row for each entry."""
    made = Folder.bpe(_entries(TORCH_ROWS)).config(vocab_size=TORCH_ROWS).write(folder)
    shutil.copy(TORCH, made / "pytorch_model.bin")


TORCH_ROWS = 6  # of model.embed_tokens in that file


def _entries(count: int) -> list[str]:
    return [chr(ord("a") + place) for place in range(count)]


@breaks(torch_rows, HEIGHT, "embeddings/config-vocab-size", entry="P35", severity="error")
def token_beyond_the_rows_of_torch(folder: Path) -> None:
    made = Folder.bpe(_entries(TORCH_ROWS)).added("<new>", "<more>")
    (folder / "tokenizer.json").write_text(made.text())
