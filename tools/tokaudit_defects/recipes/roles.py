"""Defects of which token begins, ends and pads a text, and of who says so."""

from __future__ import annotations

from pathlib import Path

from tokaudit_defects.fixtures import around, beginning, marked, small
from tokaudit_defects.recipe import recipe, sickness
from tokaudit_folders import sick

ROLE_IDS = "special_tokens/role-ids"
CHAT_BOS, STOPS = "chat_template/bos", "chat_template/stops"


@recipe("D20", beginning, CHAT_BOS, severity="warning")
def bos_from_template_and_post_processor(folder: Path) -> None:
    sick.template(folder, "{{ bos_token }}" + sick.TEMPLATE)


@recipe(
    "D21",
    beginning,
    "baseline/components",
    "special_tokens/post-processor",
    severity="error",
    base=True,
)
def bos_lost_since_the_base(folder: Path) -> None:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    sick.edit(folder, "tokenizer.json", lambda t: t.update(post_processor=level))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("add_bos_token"))


@recipe("D21", marked, "special_tokens/post-processor", severity="warning")
def bos_lost_against_the_class(folder: Path) -> None:
    sick.edit(folder, "tokenizer.json", lambda t: t.update(post_processor=None))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("add_bos_token"))


@recipe("D25", small, STOPS, severity="error")
def turns_end_with_what_nothing_stops_at(folder: Path) -> None:
    sick.end_turns_with_a_token_that_nothing_stops_at(folder)


@recipe("D26", small, ROLE_IDS, severity="error")
def eos_renamed_and_generation_left(folder: Path) -> None:
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        sick.edit(folder, name, lambda c: c.update(eos_token="<|assistant|>"))
    sick.edit(folder, "config.json", lambda c: c.update(eos_token_id=379))


@recipe("D27", small, STOPS, severity="error")
def end_of_turn_not_in_the_list(folder: Path) -> None:
    text = sick.TEMPLATE.replace("<|end|>", "<|user|>")
    sick.template(folder, text)


@recipe("D29", small, ROLE_IDS, "padding/pad-token", severity="warning")
def three_pad_tokens(folder: Path) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(pad_token_id=0))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(pad_token="<|end|>"))


sickness("D30", small, sick.pad_with_eos, "padding/pad-token")


@recipe("D103", beginning, ROLE_IDS, severity="error")
def ids_of_another_numbering(folder: Path) -> None:
    ids = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": -1}
    sick.edit(folder, "config.json", lambda c: c.update(ids))


@recipe("D103", beginning, ROLE_IDS, severity="error")
def ids_of_another_numbering_without_generation_config(folder: Path) -> None:
    ids_of_another_numbering(folder)
    (folder / "generation_config.json").unlink()


@recipe("D106", small, ROLE_IDS, severity="error")
def eos_id_of_an_ordinary_token(folder: Path) -> None:
    sick.let_config_stop_at_another_id(folder)


@recipe("D106", small, ROLE_IDS, severity="warning")
def eos_id_of_an_ordinary_token_next_to_a_right_generation_config(folder: Path) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(eos_token_id=2))


@recipe("D107", beginning, "special_tokens/post-processor", severity="error")
def flags_against_the_post_processor(folder: Path) -> None:
    sick.edit(
        folder,
        "tokenizer_config.json",
        lambda c: c.update(add_bos_token=False, add_eos_token=True),
    )


@recipe("D107", beginning, "special_tokens/post-processor", severity="error")
def post_processor_appends_eos_against_the_flag(folder: Path) -> None:
    both = around([("<|begin|>", 380)], [("<|end|>", 376)])
    sick.edit(folder, "tokenizer.json", lambda t: t.update(post_processor=both))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(add_eos_token=False))
