"""Defects of added tokens: flags, ids, contents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokaudit_defects.fixtures import LLAMA, converted, marked, small, trained
from tokaudit_defects.recipe import recipe, sickness
from tokaudit_folders import sick

ADDED = "agreement/added-tokens"
FLAGS = "baseline/added-token-flags"
STATED = "config/added-tokens"


def flag(folder: Path, place: int, **flags: bool) -> None:
    """Set flags of an added token in tokenizer.json alone."""
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"][place].update(flags))


@recipe("D38", small, ADDED, severity="error")
def strip_after_a_marker_in_one_file(folder: Path) -> None:
    flag(folder, 0, rstrip=True)


@recipe("D38", small, FLAGS, severity="error", base=True)
def strip_after_a_marker_in_every_file(folder: Path) -> None:
    flag(folder, 0, rstrip=True)
    sick.edit(
        folder,
        "tokenizer_config.json",
        lambda c: c["added_tokens_decoder"]["376"].update(rstrip=True),
    )


@recipe("D40", small, ADDED, severity="error")
def flags_flipped_by_a_save(folder: Path) -> None:
    def change(config: Any) -> None:
        for token in config["added_tokens_decoder"].values():
            token.update(lstrip=True, rstrip=True)

    sick.edit(folder, "tokenizer_config.json", change)


@recipe("D43", small, "special_tokens/overlap", severity="info")
def one_added_token_begins_another(folder: Path) -> None:
    tokens = [sick._added(380, "<im"), sick._added(381, "<image>")]
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].extend(tokens))


@recipe("D45", small, "chat_template/tokens", severity="warning")
def marker_that_no_token_is(folder: Path) -> None:
    sick.write_a_marker_that_is_no_token(folder)


@recipe("D46", marked, "agreement/behaviour", "agreement/added-tokens", severity="warning")
def user_defined_piece_missing_among_added(folder: Path) -> None:
    options: dict[str, Any] = {
        **LLAMA,
        "user_defined_symbols": ["<usr>"],
        "control_symbols": ["<sep>"],
    }
    model = folder / "tokenizer.model"
    model.write_bytes(trained(**options))
    sick.write(folder / "tokenizer.json", converted(model))


@recipe("D49", small, "vocab/duplicate-id", severity="error")
def two_specials_on_one_id(folder: Path) -> None:
    sick.put_two_added_tokens_on_one_id(folder)


@recipe("D52", small, STATED, severity="error")
def stated_ids_with_gaps(folder: Path) -> None:
    """A loader that appends gives them other ids: those stated are beyond the vocabulary's end."""
    token = {k: v for k, v in sick._added(390, "<|late|>").items() if k != "id"}
    sick.edit(
        folder, "tokenizer_config.json", lambda c: c["added_tokens_decoder"].update({"390": token})
    )


@recipe("D54", small, ADDED, STATED, severity="error")
def added_below_the_end(folder: Path) -> None:
    sick.add_a_token_below_the_end(folder)


@recipe("D57", small, "vocab/restated", "embeddings/config-vocab-size", severity="info")
def size_that_counts_added_tokens_twice(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        for token in tokenizer["added_tokens"]:
            vocab[token["content"]] = token["id"]

    sick.edit(folder, "tokenizer.json", change)
    (folder / "vocab.json").unlink()
    (folder / "merges.txt").unlink()
    sick.edit(folder, "config.json", lambda c: c.update(vocab_size=384))


@recipe("D121", small, ADDED, severity="warning")
def specials_no_longer_special(folder: Path) -> None:
    flag(folder, 2, special=False)
    flag(folder, 3, special=False)


@recipe("D121", small, FLAGS, severity="warning", base=True)
def specials_no_longer_special_since_the_base(folder: Path) -> None:
    specials_no_longer_special(folder)


sickness(
    "D130", small, sick.add_an_ordinary_word, "special_tokens/ordinary-words", severity="error"
)
