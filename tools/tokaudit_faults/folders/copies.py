"""Defects of copies that disagree: GGUF files, settings, lists and exports next to a tokenizer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokaudit_faults.folders.engines import next_to_json, write
from tokaudit_faults.healthy.folders import beginning, marked, small, thinking
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import sick
from tokaudit_folders.gguf_files import BOOL, NORMAL, TEXT, U32, USER_DEFINED

ADDED, SPECIALS = "agreement/added-tokens", "agreement/special-tokens"
ENDS, IDS = "special_tokens/gguf-ends", "special_tokens/role-ids"
TYPES, PREFIX = "special_tokens/piece-types", "tokenizer.ggml."


def of_gguf(name: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    """Change the value of a key of the GGUF file."""

    def edit(keys: dict[str, Any]) -> None:
        kind, value = keys[PREFIX + name]
        keys[PREFIX + name] = (kind, change(value))

    return edit


@breaks(next_to_json, SPECIALS, TYPES, entry="P01", severity="error")
def markers_typed_as_words(folder: Path) -> None:
    write(folder, of_gguf("token_type", lambda kinds: [*kinds[:378], NORMAL, NORMAL]))


@breaks(next_to_json, SPECIALS, TYPES, entry="P02", severity="info")
def markers_typed_as_user_defined(folder: Path) -> None:
    """The engine finds them all the same, and corrects the type of those that look like markers."""
    write(folder, of_gguf("token_type", lambda kinds: [*kinds[:378], USER_DEFINED, USER_DEFINED]))


@breaks(next_to_json, SPECIALS, ADDED, "agreement/vocab", entry="P03", severity="error")
def added_tokens_left_out_of_gguf(folder: Path) -> None:
    def shorter(keys: dict[str, Any]) -> None:
        of_gguf("tokens", lambda tokens: tokens[:-2])(keys)
        of_gguf("token_type", lambda kinds: kinds[:-2])(keys)

    write(folder, shorter)


@breaks(next_to_json, ADDED, SPECIALS, "agreement/vocab", entry="P04", severity="error")
def markers_of_gguf_in_another_order(folder: Path) -> None:
    write(folder, of_gguf("tokens", lambda t: [*t[:-2], t[-1], t[-2]]))


@breaks(next_to_json, IDS, ENDS, "chat_template/stops", entry="P05", severity="error")
def gguf_that_ends_with_a_word(folder: Path) -> None:
    write(folder, lambda keys: keys.update({f"{PREFIX}eos_token_id": (U32, 300)}))


@breaks(next_to_json, IDS, ENDS, "vocab/id-range", entry="P06")
def gguf_whose_end_is_no_id(folder: Path) -> None:
    write(folder, lambda keys: keys.update({f"{PREFIX}eos_token_id": (U32, 32_000)}))


@breaks(next_to_json, IDS, ENDS, entry="P07")
def gguf_that_begins_with_a_comma(folder: Path) -> None:
    write(folder, lambda keys: keys.update({f"{PREFIX}bos_token_id": (U32, 11)}))


@breaks(next_to_json, "chat_template/copies", entry="P08")
def gguf_with_another_template(folder: Path) -> None:
    text = sick.TEMPLATE.replace("<|end|>", "\n")
    write(folder, lambda keys: keys.update({"tokenizer.chat_template": (TEXT, text)}))


@breaks(next_to_json, "agreement/merges", "agreement/behaviour", entry="P09", severity="error")
def gguf_with_fewer_merges(folder: Path) -> None:
    write(folder, of_gguf("merges", lambda merges: merges[:60]))


def beginning_beside(folder: Path) -> None:
    """A folder that writes BOS, with a GGUF file that does so too."""
    beginning(folder)
    write(folder, lambda keys: _begins(keys, True))


def _begins(keys: dict[str, Any], yes: bool) -> None:
    keys.update({f"{PREFIX}bos_token_id": (U32, 380), f"{PREFIX}add_bos_token": (BOOL, yes)})


@breaks(beginning_beside, "agreement/behaviour", ENDS, IDS, entry="P10")
def gguf_that_writes_no_begin(folder: Path) -> None:
    write(folder, lambda keys: _begins(keys, False))


@breaks(small, ADDED, SPECIALS, entry="P11")
def settings_with_a_token_that_the_tokenizer_lacks(folder: Path) -> None:
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].pop())


@breaks(thinking, ADDED, SPECIALS, "config/added-tokens", entry="P12")
def settings_without_a_token_that_the_tokenizer_has(folder: Path) -> None:
    sick.edit(folder, "tokenizer_config.json", lambda c: c["added_tokens_decoder"].pop("380"))


@breaks(small, ADDED, "config/added-tokens", entry="P13", severity="error")
def list_of_added_tokens_with_ids_of_words(folder: Path) -> None:
    sick.write(folder / "added_tokens.json", {"<|user|>": 0, "<|assistant|>": 1})


@breaks(small, ADDED, "config/added-tokens", SPECIALS, entry="P14")
def list_of_added_tokens_that_goes_on(folder: Path) -> None:
    sick.write(folder / "added_tokens.json", {"<|user|>": 378, "<|late|>": 382})


def exported(folder: Path) -> None:
    """The small checkpoint with an export of it in another folder."""
    small(folder)
    (folder / "onnx").mkdir()
    for path in list(folder.iterdir()):
        if path.suffix == ".json" and "index" not in path.name:
            shutil.copy(path, folder / "onnx" / path.name)


@breaks(exported, "agreement/copies", entry="P15", severity="error")
def export_with_other_ids(folder: Path) -> None:
    sick.edit(folder / "onnx", "tokenizer.json", lambda t: sick.swap(t["model"]["vocab"], 300, 350))


@breaks(exported, "agreement/copied-pipeline", entry="P16", severity="error")
def export_that_cuts_text_in_another_way(folder: Path) -> None:
    level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    sick.state(folder / "onnx", "tokenizer.json", pre_tokenizer=level)


@breaks(exported, "agreement/copied-settings", entry="P17")
def export_that_pads_on_the_other_side(folder: Path) -> None:
    sick.state(folder / "onnx", "tokenizer_config.json", padding_side="left")


@breaks(marked, "agreement/vocab", "agreement/behaviour", entry="P18", severity="error")
def model_of_another_training(folder: Path) -> None:
    sick.edit(folder, "tokenizer.json", lambda t: sick.swap(t["model"]["vocab"], 300, 350))
