"""A setting names the token that its name means; one token has no two roles that exclude another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Severity

Ask = Callable[..., list[Any]]
FIRST = 380  # the id of the first token that a test adds

TOKENS = [
    *("<image>", "<image_start>", "<image_end>", "<video_start>", "<video_end>", "<|video_pad|>"),
    *("<|media_begin|>", "<|media_end|>", "<|media_pad|>", "<|audio_bos|>", "<|audio_eos|>"),
    *("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<think>", "</think>"),
    *("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "[UNK]", "[MASK]"),
]
"""Content -> an added token of the folder, numbered from `FIRST`."""


def with_tokens(folder: Path, sick: ModuleType, contents: list[str]) -> dict[str, int]:
    """Give the folder these added tokens, and say their ids."""
    ids = {content: FIRST + place for place, content in enumerate(contents)}
    added = [{"id": id, "content": content, "special": True} for content, id in ids.items()]
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].extend(added))
    return ids


WRONG = [
    ("video_start_token", "<image_end>", "<video_start>"),
    ("video_start_token_id", "<video_end>", "<video_start>"),
    ("image_token_id", "<image_end>", "<image>"),
    ("eoi_token_index", "<image_start>", "<image_end>"),
    ("media_placeholder_token_id", "<|media_begin|>", "<|media_pad|>"),
    ("audio_start_token_id", "<|audio_eos|>", "<|audio_bos|>"),
    ("prefix_token", "<|fim_suffix|>", "<|fim_prefix|>"),
    ("fim_middle_token_id", "<|fim_prefix|>", "<|fim_middle|>"),
    ("think_end_token_id", "<think>", "</think>"),
    ("tool_call_start_token", "</tool_call>", "<tool_call>"),
    ("tool_response_token", "<tool_call>", "<tool_response>"),
    ("mask_token", "[UNK]", "[MASK]"),
    ("video_start_token_id", "<tool_call>", "<video_start>"),
    ("image_token_id", "<think>", "<image>"),
    ("tool_call_token_id", "<think>", "<tool_call>"),
]


@pytest.mark.parametrize(("key", "named", "better"), WRONG)
@pytest.mark.parametrize("nested", [False, True])
def test_a_setting_whose_name_fits_another_token_is_a_warning(
    folder: Path, ask: Ask, sick: ModuleType, key: str, named: str, better: str, nested: bool
) -> None:
    ids = with_tokens(folder, sick, TOKENS)
    value = ids[named] if "_id" in key or nested else named
    stated = {"vision_config": {"deep": {key: value}}} if nested else {key: value}
    sick.edit(folder, "config.json", lambda c: c.update(stated))
    (finding,) = ask("special_tokens/names-fit", folder)
    assert finding.severity is Severity.WARNING
    assert finding.message == (
        f"{key} in config.json is {named!r} (id {ids[named]}), but the key's name fits {better!r} "
        f"(id {ids[better]})."
    )
    assert finding.places[0].pointer == ("/vision_config/deep/" if nested else "/") + key


@pytest.mark.parametrize(("key", "_named", "better"), WRONG)
def test_the_token_that_fits_is_fine(
    folder: Path, ask: Ask, sick: ModuleType, key: str, _named: str, better: str
) -> None:
    ids = with_tokens(folder, sick, TOKENS)
    sick.edit(folder, "config.json", lambda c: c.update({key: ids[better]}))
    assert ask("special_tokens/names-fit", folder) == []


def test_a_second_file_that_names_the_other_token_makes_it_an_error(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    ids = with_tokens(folder, sick, TOKENS)
    sick.edit(folder, "config.json", lambda c: c.update(video_start_token=ids["<image_end>"]))
    right = {"video_start_token": "<video_start>"}
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(right))
    (finding,) = ask("special_tokens/names-fit", folder)
    assert finding.severity is Severity.ERROR
    assert finding.message.endswith("Another file names this token.")


def test_the_same_setting_twice_in_one_file_is_no_second_file(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    ids = with_tokens(folder, sick, TOKENS)
    wrong, right = ({"video_start_token": ids[t]} for t in ("<image_end>", "<video_start>"))
    sick.edit(folder, "config.json", lambda c: c.update(wrong, vision_config=right))
    (finding,) = ask("special_tokens/names-fit", folder)
    assert (finding.severity, "Another file" in finding.message) == (Severity.WARNING, False)
    assert finding.remedy == f"Set /video_start_token in config.json to {ids['<video_start>']}."


def test_where_a_picture_starts_is_not_where_a_turn_does(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    ids = with_tokens(folder, sick, ["<|im_start|>", "<|image_start|>"])
    sick.edit(folder, "config.json", lambda c: c.update(image_start_token_id=ids["<|im_start|>"]))
    (finding,) = ask("special_tokens/names-fit", folder)
    assert finding.remedy == f"Set /image_start_token_id in config.json to {FIRST + 1}."


@pytest.mark.parametrize(
    ("contents", "stated"),
    [
        (
            ["<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>"],
            {
                "vision_start_token_id": 380,
                "vision_end_token_id": 381,
                "vision_token_id": 382,
                "image_token_id": 383,
            },
        ),
        (
            ["<start_of_image>", "<end_of_image>", "<image_soft_token>"],
            {"boi_token_index": 380, "eoi_token_index": 381, "image_token_index": 382},
        ),
        (
            ["<|image_start|>", "<|image_end|>", "<|patch|>", "<|image|>"],
            {"boi_token_index": 380, "eoi_token_index": 381, "image_token_index": 382},
        ),
        (["[IMG]", "[IMG_BREAK]", "[IMG_END]"], {"image_token_id": 380, "image_break_token": 381}),
        (["<img>", "</img>", "<IMG_CONTEXT>"], {"img_context_token_id": 382}),
        (["<img>", "</img>", "<IMG_CONTEXT>"], {"image_start_token": 380, "image_end_token": 381}),
        (["<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"], {"audio_token_index": 380}),
        (["▁<PRE>", "▁<MID>", "▁<SUF>", "▁<EOT>"], {"prefix_token": 380, "suffix_token": 382}),
        (["<|fim▁begin|>", "<|fim▁hole|>", "<|fim▁end|>"], {"middle_token": 381}),
        (["<s>", "</s>", "<pad>"], {"decoder_start_token_id": 382, "sep_token": "</s>"}),
        (["<|endoftext|>", "<mask>"], {"pad_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}),
        (["<|im_start|>", "<|im_end|>"], {"eos_token_id": [381, 380], "num_image_tokens": 380}),
        (["<fake_token_around_image>", "<image>"], {"image_token_id": 381}),
        (["<s>", "</s>"], {"bos_token_id": 381, "eos_token_id": 381}),  # as OPT
        (["<|endoftext|>", "</s>"], {"eos_token_id": 380}),
    ],
)
def test_settings_as_models_are_published_with_are_fine(
    folder: Path, ask: Ask, sick: ModuleType, contents: list[str], stated: dict[str, Any]
) -> None:
    with_tokens(folder, sick, contents)
    sick.edit(folder, "config.json", lambda c: c.update(stated))
    try:
        assert ask("special_tokens/names-fit", folder) == []
    except NotApplicable as error:
        assert "no setting" in str(error)


def test_an_end_of_text_that_only_starts_texts_is_named(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    with_tokens(folder, sick, ["<s>", "</s>"])
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(eos_token="<s>"))
    (finding,) = ask("special_tokens/names-fit", folder)
    assert finding.message == (
        "eos_token in tokenizer_config.json is '<s>' (id 380), but the key's name fits '<|end|>' "
        "(id 376). Another file names this token."
    )


def test_padding_with_a_marker_that_the_template_writes_is_a_warning(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    sick.template(folder, sick.TEMPLATE + "{# <|user|> #}")
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(pad_token="<|user|>"))
    (finding,) = ask("special_tokens/exclusive-roles", folder)
    assert finding.severity is Severity.WARNING
    assert (
        "names '<|user|>' as the pad token, but this token is also a marker that the chat template"
        in finding.message
    )


def test_padding_with_the_end_of_text_is_asked_by_another_check(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(pad_token="<|end|>"))
    assert ask("special_tokens/exclusive-roles", folder) == []


@pytest.mark.parametrize(("pad", "severities"), [("[UNK]", ["warning"]), ("[PAD]", [])])
def test_padding_with_the_unknown_token_of_whole_words_is_a_warning(
    tmp_path: Path, ask: Ask, sick: ModuleType, pad: str, severities: list[str]
) -> None:
    vocab = {"[PAD]": 0, "[UNK]": 1, "a": 2, "##b": 3}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    model |= {"max_input_chars_per_word": 100, "vocab": vocab}
    sick.write(tmp_path / "tokenizer.json", {"model": model, "pre_tokenizer": None})
    sick.write(tmp_path / "tokenizer_config.json", {"pad_token": pad, "unk_token": "[UNK]"})
    found = ask("special_tokens/exclusive-roles", tmp_path)
    assert [str(finding.severity) for finding in found] == severities


def test_padding_with_the_unknown_token_of_bytes_is_fine(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    with_tokens(folder, sick, ["<unk>"])
    both = {"pad_token": "<unk>", "unk_token": "<unk>"}
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(both))
    assert ask("special_tokens/exclusive-roles", folder) == []


def test_the_type_of_padding_is_no_token(folder: Path, ask: Ask, sick: ModuleType) -> None:
    ids = with_tokens(folder, sick, ["[CLS]", "[PAD]"])
    stated = {"pad_token_type_id": ids["[CLS]"], "pad_token_id": ids["[PAD]"]}
    sick.edit(folder, "tokenizer_config.json", lambda config: config.update(stated))
    assert ask("special_tokens/names-fit", folder) == []


def test_files_that_name_two_tokens_for_a_role_are_one_fault(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    ids = with_tokens(folder, sick, ["<none>", "[MASK]", "[UNK]"])
    sick.edit(folder, "config.json", lambda c: c.update(mask_token_id=ids["[UNK]"]))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(mask_token="[MASK]"))
    assert ask("special_tokens/names-fit", folder) == []
    (found,) = [f for f in ask("special_tokens/role-ids", folder) if f.cause == "mask"]
    assert found.severity is Severity.WARNING
