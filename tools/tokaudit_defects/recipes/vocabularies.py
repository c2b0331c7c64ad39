"""Defects of ids, merges, sizes, and of the files that hold them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import sentencepiece

from tokaudit_defects.fixtures import LINES, LLAMA, SETTINGS, around, marked, small
from tokaudit_defects.recipe import recipe, sickness
from tokaudit_folders import sick

sickness("D51", small, sick.move_one_token_beyond_the_end, "vocab/holes")
sickness("D61", small, lambda f: rows(f, 384, 384), "embeddings/spare-rows", severity="info")
sickness("D95", small, sick.edit_one_line_of_merges_txt, "agreement/merges", severity="error")
sickness("D96", small, sick.list_a_token_that_no_merge_makes, "vocab/unreachable")
sickness("D109", small, sick.leave_a_git_lfs_pointer, "files/kind", severity="error")
sickness("D112", small, sick.list_the_first_merge_again, "merges/duplicates")
sickness("D116", small, sick.convert_line_ends, "files/line-endings")


def rows(folder: Path, embedding: int, head: int) -> None:
    """Give the weights other heights."""
    sick.weights(folder, {"model.embed_tokens.weight": embedding, "lm_head.weight": head})


@recipe("D55", marked, "agreement/vocab", severity="error")
def every_id_one_higher(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        vocab.update({piece: id + 1 for piece, id in vocab.items()})
        for token in tokenizer["added_tokens"]:
            token["id"] += 1
        tokenizer["post_processor"] = around([("<s>", 2)])

    sick.edit(folder, "tokenizer.json", change)


@recipe("D58", small, "special_tokens/role-ids", severity="warning")
def suppressed_ids_that_no_token_has(folder: Path) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(vocab_size=385))
    sick.edit(folder, "generation_config.json", lambda g: g.update(begin_suppress_tokens=[381]))


@recipe("D60", small, "baseline/vocab", severity="error", base=True)
def draft_of_rotated_ids(folder: Path) -> None:
    sick.only_tokenizer_json(folder)

    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        vocab.update({piece: (id + 1) % 376 for piece, id in vocab.items()})

    sick.edit(folder, "tokenizer.json", change)


@recipe("D66", small, "embeddings/output-rows", "embeddings/tied", severity="error")
def head_of_another_height(folder: Path) -> None:
    rows(folder, 380, 370)


@recipe("D66", small, "embeddings/tied", severity="warning")
def tied_with_a_head_of_its_own(folder: Path) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(tie_word_embeddings=True))
    path = folder / "model.safetensors"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"\x01")


@recipe("D88", marked, "files/training-path", severity="info")
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


@recipe("D93", small, "files/parse", "agreement/library-loads", severity="error")
def unknown_component(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        tokenizer["model"]["merges"] = [m.split(" ") for m in tokenizer["model"]["merges"]]
        tokenizer["pre_tokenizer"] = {"type": "FutureSplit"}

    sick.edit(folder, "tokenizer.json", change)


@recipe("D124", small, "files/remote-code", severity="warning")
def tokenizer_that_is_code(folder: Path) -> None:
    named = {"AutoTokenizer": ["tokenization_own.Own", None]}
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(auto_map=named))
    (folder / "tokenization_own.py").write_text("raise SystemExit('never run')\n")


@recipe("D125", small, "embeddings/rows", severity="error")
def token_beyond_the_rows(folder: Path) -> None:
    token = sick._added(380, "<image>")
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].append(token))


@recipe("D125", small, "embeddings/config-vocab-size", severity="error")
def token_beyond_the_declared_size(folder: Path) -> None:
    token_beyond_the_rows(folder)
    (folder / "model.safetensors").unlink()
