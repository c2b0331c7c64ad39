"""Defects of names that do not fit ids, and of roles that exclude each other."""

from __future__ import annotations

from pathlib import Path

from tokaudit_faults.healthy.folders import small
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import sick
from tokaudit_folders.folder import Folder

FIT, NAMED, IDS = "special_tokens/names-fit", "config/named-ids", "special_tokens/role-ids"
ROWS = "embeddings/rows"
FIRST = 380
TOKENS = (
    *("<image>", "<image_start>", "<image_end>", "<video_start>", "<video_end>", "<|video_pad|>"),
    *("<|audio_bos|>", "<|audio_eos|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"),
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>"),
)
ID = {content: FIRST + place for place, content in enumerate(TOKENS)}


def manifold(folder: Path) -> None:
    """The small folder with markers of pictures, gaps, thoughts and tools."""
    small(folder)
    sick.add_everywhere(folder, *TOKENS)


def state(folder: Path, **keys: object) -> None:
    """State keys in config.json."""
    sick.state(folder, "config.json", **keys)


def also(folder: Path, **keys: object) -> None:
    """State keys in tokenizer_config.json, so that a second file says what is meant."""
    sick.state(folder, "tokenizer_config.json", **keys)


@breaks(manifold, FIT, entry="P19")
def video_that_starts_where_a_picture_ends(folder: Path) -> None:
    state(folder, text_config={"video_start_token": ID["<image_end>"]})


@breaks(manifold, FIT, entry="P19", severity="error")
def video_start_against_a_second_file(folder: Path) -> None:
    state(folder, video_start_token_id=ID["<image_end>"])
    also(folder, video_start_token="<video_start>")


@breaks(manifold, FIT, NAMED, IDS, entry="P20")
def picture_on_the_id_of_its_mark(folder: Path) -> None:
    state(folder, image_token_id=ID["<image_start>"])


@breaks(manifold, NAMED, FIT, ROWS, "config/ids", entry="P21")
def picture_beyond_the_vocabulary(folder: Path) -> None:
    state(folder, image_token_index=FIRST + len(TOKENS))


@breaks(manifold, FIT, NAMED, entry="P22", severity="error")
def picture_that_two_files_number_differently(folder: Path) -> None:
    state(folder, image_token_id=ID["<image_end>"])
    also(folder, image_token="<image>")


@breaks(manifold, FIT, entry="P23")
def gap_with_its_sides_exchanged(folder: Path) -> None:
    also(folder, prefix_token="<|fim_suffix|>", suffix_token="<|fim_prefix|>")


@breaks(manifold, FIT, entry="P24")
def gap_whose_middle_is_its_prefix(folder: Path) -> None:
    state(folder, fim_middle_token_id=ID["<|fim_prefix|>"])


@breaks(manifold, FIT, entry="P25")
def thought_that_ends_with_its_start(folder: Path) -> None:
    state(folder, think_end_token_id=ID["<think>"])


@breaks(manifold, FIT, entry="P26")
def call_that_starts_with_its_end(folder: Path) -> None:
    also(folder, tool_call_start_token="</tool_call>")


@breaks(manifold, FIT, entry="P27")
def sound_that_starts_with_its_end(folder: Path) -> None:
    state(folder, audio_start_token_id=ID["<|audio_eos|>"])


@breaks(small, "config/tokens", "chat_template/tokens", entry="P28", severity="info")
def thoughts_that_no_token_marks(folder: Path) -> None:
    """A template may write plain text for them, so the marks are named and no more is said."""
    text = sick.TEMPLATE.replace("{{ m.content }}", "<think></think>{{ m.content }}")
    sick.template(folder, text)
    also(folder, think_end_token="</think>")


def words_apart(folder: Path) -> None:
    """A WordPiece with a token for what is unknown and one for padding."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh", *(f"##{c}" for c in "abc")]
    roles = {"pad_token": "[PAD]", "unk_token": "[UNK]"}
    made = Folder.wordpiece(words).added(*words[:5]).tokenizer_config(**roles)
    made.config(vocab_size=len(words), pad_token_id=0).write(folder)


@breaks(words_apart, "special_tokens/exclusive-roles", entry="P29")
def padding_that_is_the_unknown_token(folder: Path) -> None:
    also(folder, pad_token="[UNK]")
    state(folder, pad_token_id=1)


@breaks(small, "special_tokens/exclusive-roles", "padding/pad-token", entry="P30")
def padding_that_marks_turns(folder: Path) -> None:
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        sick.state(folder, name, pad_token="<|user|>")
    for name in ("config.json", "generation_config.json"):
        sick.state(folder, name, pad_token_id=378)
