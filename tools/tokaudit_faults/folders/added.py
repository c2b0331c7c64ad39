"""Defects of added tokens: flags, ids, contents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokaudit_faults.healthy.folders import LLAMA, converted, marked, small, trained
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import sick

ADDED = "agreement/added-tokens"
FLAGS = "baseline/added-token-flags"
STATED = "config/added-tokens"


def flag(folder: Path, place: int, **flags: bool) -> None:
    """Set flags of an added token in tokenizer.json alone."""
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"][place].update(flags))


@breaks(small, ADDED, entry="D38", severity="error")
def strip_after_the_end_in_one_file(folder: Path) -> None:
    flag(folder, 0, rstrip=True)


@breaks(small, FLAGS, entry="D38", severity="error", base=True)
def strip_after_the_end_in_every_file(folder: Path) -> None:
    flag(folder, 0, rstrip=True)
    sick.edit(
        folder,
        "tokenizer_config.json",
        lambda c: c["added_tokens_decoder"]["376"].update(rstrip=True),
    )


@breaks(small, ADDED, entry="D40", severity="error")
def flags_flipped_by_a_save(folder: Path) -> None:
    def change(config: Any) -> None:
        for token in config["added_tokens_decoder"].values():
            token.update(lstrip=True, rstrip=True)

    sick.edit(folder, "tokenizer_config.json", change)


@breaks(small, "special_tokens/overlap", entry="D43", severity="info")
def one_added_token_begins_another(folder: Path) -> None:
    tokens = [sick._added(380, "<im"), sick._added(381, "<image>")]
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].extend(tokens))


@breaks(marked, "agreement/behaviour", "agreement/added-tokens", entry="D46")
def user_defined_piece_missing_among_added(folder: Path) -> None:
    options: dict[str, Any] = {
        **LLAMA,
        "user_defined_symbols": ["<usr>"],
        "control_symbols": ["<sep>"],
    }
    model = folder / "tokenizer.model"
    model.write_bytes(trained(**options))
    sick.write(folder / "tokenizer.json", converted(model))


@breaks(small, STATED, entry="D52", severity="error")
def stated_ids_with_gaps(folder: Path) -> None:
    """A loader that appends gives them other ids: those stated are beyond the vocabulary's end."""
    token = {k: v for k, v in sick._added(390, "<|late|>").items() if k != "id"}
    sick.edit(
        folder, "tokenizer_config.json", lambda c: c["added_tokens_decoder"].update({"390": token})
    )


@breaks(small, "embeddings/config-vocab-size", entry="D57", severity="info")
def size_that_counts_added_tokens_twice(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        for token in tokenizer["added_tokens"]:
            vocab[token["content"]] = token["id"]

    sick.edit(folder, "tokenizer.json", change)
    (folder / "vocab.json").unlink()
    (folder / "merges.txt").unlink()
    sick.state(folder, "config.json", vocab_size=384)


@breaks(small, ADDED, entry="D121")
def specials_no_longer_special(folder: Path) -> None:
    flag(folder, 2, special=False)
    flag(folder, 3, special=False)


@breaks(small, FLAGS, entry="D121", base=True)
def specials_no_longer_special_since_the_base(folder: Path) -> None:
    specials_no_longer_special(folder)
