"""Defects of files for other engines, and of encoders that are not files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokaudit_faults.healthy.folders import gguf_keys, llama_keys, marked, small, thinking
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import gguf_files, sick
from tokaudit_folders.gguf_files import TEXT, U32


def alone(folder: Path) -> None:
    """A GGUF file of the small vocabulary, alone."""
    write(folder, lambda keys: None)


def next_to_json(folder: Path) -> None:
    """The small folder with a GGUF file of the same tokenizer."""
    small(folder)
    (folder / "model.gguf").write_bytes(gguf_files.gguf(gguf_keys(tokenizer_of(folder))))


def tokenizer_of(folder: Path) -> Any:
    """The small tokenizer.json."""
    if (folder / "tokenizer.json").is_file():
        return sick.read(folder / "tokenizer.json")
    with tempfile.TemporaryDirectory() as scratch:
        return sick.read(sick.healthy(Path(scratch)) / "tokenizer.json")


def write(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Write the GGUF file anew with other keys."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = gguf_keys(tokenizer_of(folder))
    change(keys)
    (folder / "model.gguf").write_bytes(gguf_files.gguf(keys))


@breaks(alone, "pipeline/split-name", entry="D01", severity="error")
def gguf_without_pre(folder: Path) -> None:
    write(folder, lambda keys: keys.pop("tokenizer.ggml.pre"))


@breaks(next_to_json, "agreement/behaviour", "pipeline/split-name", entry="D02")
def gguf_of_another_pre(folder: Path) -> None:
    write(folder, lambda keys: keys.update({"tokenizer.ggml.pre": (TEXT, "smaug-bpe")}))


@breaks(alone, "special_tokens/role-ids", "special_tokens/gguf-ends", entry="D23")
def gguf_without_a_bos_id(folder: Path) -> None:
    write(folder, lambda keys: keys.pop("tokenizer.ggml.bos_token_id"))


def llama_cpp(folder: Path) -> None:
    """A folder of SentencePiece BPE with a GGUF file of it."""
    marked(folder)
    keys = llama_keys(folder / "tokenizer.model")
    (folder / "model.gguf").write_bytes(gguf_files.gguf(keys))


@breaks(llama_cpp, "files/parse", entry="D85", severity="error")
def gguf_with_an_impossible_byte_token(folder: Path) -> None:
    keys = llama_keys(folder / "tokenizer.model")
    keys["tokenizer.ggml.tokens"][1][10] = "<0x-1>"
    (folder / "model.gguf").write_bytes(gguf_files.gguf(keys))


@breaks(alone, "special_tokens/role-ids", "special_tokens/gguf-ends", entry="D127")
def gguf_with_fim_ids_of_another_model(folder: Path) -> None:
    write(folder, lambda keys: keys.update({"tokenizer.ggml.fim_pre_token_id": (U32, 32007)}))


@breaks(alone, "files/parse", "pipeline/byte-components", entry="D133", severity="error")
def gguf_that_calls_byte_level_sentencepiece(folder: Path) -> None:
    def change(keys: dict[str, Any]) -> None:
        keys["tokenizer.ggml.model"] = (TEXT, "llama")
        size = len(keys["tokenizer.ggml.tokens"][1])
        keys["tokenizer.ggml.scores"] = (gguf_files.F32, [-float(id) for id in range(size)])

    write(folder, change)


ENCODERS = "call:tokaudit_faults.encoders:"
AGAINST = "agreement/against"


@breaks(small, AGAINST, entry="D12", severity="error", against=ENCODERS + "with_old_tables")
def letters_that_old_tables_do_not_know(folder: Path) -> None:
    """The files stay whole: it is the encoder that is wrong."""


@breaks(
    thinking, AGAINST, entry="D42", severity="error", against=ENCODERS + "without_ordinary_added"
)
def added_token_that_is_not_special_ignored(folder: Path) -> None:
    """The files stay whole: it is the encoder that is wrong."""


@breaks(small, AGAINST, entry="D92", severity="error", against=ENCODERS + "refusing")
def special_literal_that_raises(folder: Path) -> None:
    """The files stay whole: it is the encoder that is wrong."""


@breaks(small, AGAINST, entry="D110", severity="error", against=ENCODERS + "off_by_one")
def offset_added_twice(folder: Path) -> None:
    """The files stay whole: it is the encoder that is wrong."""


@breaks(small, AGAINST, entry="D14", severity="error", against=ENCODERS + "left_to_right")
def merges_by_position(folder: Path) -> None:
    """The files stay whole: it is the encoder that is wrong."""
