"""Defects of ids, merges, sizes, and of the files that hold them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import sentencepiece

from tokaudit_faults.healthy.family import around
from tokaudit_faults.healthy.folders import LINES, LLAMA, SETTINGS, marked, small
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import sick


def rows(folder: Path, embedding: int, head: int) -> None:
    """Give the weights other heights."""
    sick.weights(folder, {"model.embed_tokens.weight": embedding, "lm_head.weight": head})


@breaks(small, "embeddings/spare-rows", entry="D61", severity="info")
def four_rows_more_than_tokens(folder: Path) -> None:
    rows(folder, 384, 384)


@breaks(marked, "agreement/vocab", entry="D55", severity="error")
def every_id_one_higher(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        vocab.update({piece: id + 1 for piece, id in vocab.items()})
        for token in tokenizer["added_tokens"]:
            token["id"] += 1
        tokenizer["post_processor"] = around([("<s>", 2)])

    sick.edit(folder, "tokenizer.json", change)


@breaks(small, "special_tokens/role-ids", entry="D58")
def suppressed_ids_that_no_token_has(folder: Path) -> None:
    sick.state(folder, "config.json", vocab_size=385)
    sick.state(folder, "generation_config.json", begin_suppress_tokens=[381])


@breaks(small, "baseline/vocab", entry="D60", severity="error", base=True)
def draft_of_rotated_ids(folder: Path) -> None:
    sick.only_tokenizer_json(folder)

    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        vocab.update({piece: (id + 1) % 376 for piece, id in vocab.items()})

    sick.edit(folder, "tokenizer.json", change)


@breaks(small, "embeddings/tied", entry="D66")
def tied_with_a_head_of_its_own(folder: Path) -> None:
    sick.state(folder, "config.json", tie_word_embeddings=True)
    path = folder / "model.safetensors"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"\x01")


@breaks(marked, "files/training-path", entry="D88", severity="info")
def path_of_the_training_text(folder: Path) -> None:

    with tempfile.TemporaryDirectory() as home:
        text, prefix = Path(home) / "corpus.txt", Path(home) / "m"
        text.write_text("\n".join(LINES))
        settings: dict[str, Any] = {**SETTINGS, **LLAMA}
        sentencepiece.SentencePieceTrainer.train(
            input=str(text), model_prefix=str(prefix), **settings
        )
        (folder / "tokenizer.model").write_bytes(prefix.with_suffix(".model").read_bytes())
    (folder / "tokenizer.json").unlink()


@breaks(small, "files/parse", "agreement/library-loads", entry="D93", severity="error")
def unknown_component(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        tokenizer["model"]["merges"] = [m.split(" ") for m in tokenizer["model"]["merges"]]
        tokenizer["pre_tokenizer"] = {"type": "FutureSplit"}

    sick.edit(folder, "tokenizer.json", change)


@breaks(small, "files/remote-code", entry="D124")
def tokenizer_that_is_code(folder: Path) -> None:
    named = {"AutoTokenizer": ["tokenization_own.Own", None]}
    sick.state(folder, "tokenizer_config.json", auto_map=named)
    (folder / "tokenization_own.py").write_text("raise SystemExit('never run')\n")


@breaks(small, "embeddings/rows", entry="D125", severity="error")
def token_beyond_the_rows(folder: Path) -> None:
    token = sick._added(380, "<image>")
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].append(token))


@breaks(small, "embeddings/config-vocab-size", entry="D125", severity="error")
def token_beyond_the_declared_size(folder: Path) -> None:
    token_beyond_the_rows(folder)
    (folder / "model.safetensors").unlink()
