"""Defects of which token begins, ends and pads a text, and of who says so."""

from __future__ import annotations

from pathlib import Path

from tokaudit_faults.healthy.family import around
from tokaudit_faults.healthy.folders import beginning, marked, small
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import sick

ROLE_IDS = "special_tokens/role-ids"
CHAT_BOS, STOPS = "chat_template/bos", "chat_template/stops"


@breaks(beginning, CHAT_BOS, entry="D20")
def bos_from_template_and_post_processor(folder: Path) -> None:
    sick.template(folder, "{{ bos_token }}" + sick.TEMPLATE)


@breaks(
    beginning,
    "baseline/components",
    "special_tokens/post-processor",
    entry="D21",
    severity="error",
    base=True,
)
def bos_lost_since_the_base(folder: Path) -> None:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    sick.state(folder, "tokenizer.json", post_processor=level)
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("add_bos_token"))


@breaks(marked, "special_tokens/post-processor", entry="D21")
def bos_lost_against_the_class(folder: Path) -> None:
    sick.state(folder, "tokenizer.json", post_processor=None)
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("add_bos_token"))


@breaks(small, ROLE_IDS, entry="D26", severity="error")
def eos_renamed_and_generation_left(folder: Path) -> None:
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        sick.state(folder, name, eos_token="<|assistant|>")
    sick.state(folder, "config.json", eos_token_id=379)


@breaks(small, STOPS, entry="D27", severity="error")
def end_of_turn_not_in_the_list(folder: Path) -> None:
    text = sick.TEMPLATE.replace("<|end|>", "<|user|>")
    sick.template(folder, text)


@breaks(small, ROLE_IDS, "padding/pad-token", entry="D29")
def three_pad_tokens(folder: Path) -> None:
    sick.state(folder, "config.json", pad_token_id=0)
    sick.state(folder, "tokenizer_config.json", pad_token="<|end|>")


@breaks(beginning, ROLE_IDS, entry="D103", severity="error")
def ids_of_another_numbering(folder: Path) -> None:
    ids = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": -1}
    sick.edit(folder, "config.json", lambda c: c.update(ids))


@breaks(beginning, ROLE_IDS, entry="D103", severity="error")
def ids_of_another_numbering_without_generation_config(folder: Path) -> None:
    ids_of_another_numbering(folder)
    (folder / "generation_config.json").unlink()


@breaks(small, ROLE_IDS, entry="D106")
def eos_id_of_an_ordinary_token_next_to_a_right_generation_config(folder: Path) -> None:
    sick.state(folder, "config.json", eos_token_id=2)


@breaks(beginning, "special_tokens/post-processor", entry="D107", severity="error")
def flags_against_the_post_processor(folder: Path) -> None:
    sick.state(folder, "tokenizer_config.json", add_bos_token=False, add_eos_token=True)


@breaks(beginning, "special_tokens/post-processor", entry="D107", severity="error")
def post_processor_appends_eos_against_the_flag(folder: Path) -> None:
    both = around([("<|begin|>", 380)], [("<|end|>", 376)])
    sick.state(folder, "tokenizer.json", post_processor=both)
    sick.state(folder, "tokenizer_config.json", add_eos_token=False)
