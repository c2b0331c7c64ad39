"""How a sentence encoder pools, next to its tokenizer and its model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import NotApplicable
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

Ask = Callable[..., list[Any]]
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
POOLING, CHECK = "1_Pooling/config.json", "config/pooling"
FIRST, MEAN = "pooling_mode_cls_token", "pooling_mode_mean_tokens"
CLS, TEXT = {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}
NAMED = {"[CLS]": {"id": "[CLS]", "ids": [3], "tokens": ["[CLS]"]}}


def template_of(*pieces: object) -> dict[str, object]:
    """A template for a single text, and its two texts without any token."""
    pair = [TEXT, {"Sequence": {"id": "B", "type_id": 0}}]
    template = {"type": "TemplateProcessing", "single": list(pieces), "pair": pair}
    return {**template, "special_tokens": NAMED}


def encoder(processor: object, **pooling: object) -> Folder:
    folder = Folder.bpe("ab", ["a b"]).added("[CLS]").changed(post_processor=processor)
    return folder.config(hidden_size=4).settings(POOLING, **pooling)


def said(ask: Ask, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in ask(CHECK, folder.write(path))]


@pytest.mark.parametrize(
    ("processor", "named", "expected"),
    [
        (template_of(CLS, TEXT), {}, []),
        (template_of(TEXT, CLS), {}, [("warning", FIRST)]),
        (template_of(TEXT), {"cls_token": "[CLS]"}, [("error", FIRST)]),
        (None, {"cls_token": "[CLS]"}, [("error", FIRST)]),
        (None, {"cls_token": "[GONE]"}, [("warning", FIRST)]),
    ],
)
def test_the_class_token_is_pooled_where_one_is_written(
    tmp_path: Path,
    ask: Ask,
    processor: object,
    named: dict[str, str],
    expected: list[tuple[str, str]],
) -> None:
    folder = encoder(processor, pooling_mode_cls_token=True).tokenizer_config(**named)
    assert said(ask, folder, tmp_path) == expected


@pytest.mark.parametrize("mode", [MEAN, "pooling_mode_lasttoken"])
def test_other_modes_ask_for_no_class_token(tmp_path: Path, ask: Ask, mode: str) -> None:
    folder = encoder(None, **{mode: True}).tokenizer_config(cls_token="[CLS]")
    assert said(ask, folder, tmp_path) == []


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ({MEAN: False}, [("error", "pooling_mode")]),
        ({MEAN: False, FIRST: False}, [("error", "pooling_mode")]),
        ({MEAN: False, "pooling_mode_max_tokens": True}, []),
        ({FIRST: False}, []),  # the mean is taken where nothing is said of it
        ({MEAN: False, "pooling_mode": "cls"}, []),
    ],
)
def test_one_mode_is_on(
    tmp_path: Path, ask: Ask, modes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert said(ask, encoder(template_of(CLS, TEXT), **modes), tmp_path) == expected


def test_a_folder_without_pooling_is_not_asked(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, Folder.bpe("ab").config(hidden_size=4).write(tmp_path))


def test_the_last_token_that_a_version_does_not_write_is_an_error_with_its_place(
    tmp_path: Path,
) -> None:
    folder = of_last_token("LlamaTokenizerFast").write(tmp_path / "before")
    [finding] = tokaudit.run_check("config/pooling", folder).findings
    assert (
        f"TokenizersBackend of transformers {FIVE} (emulated) does not write this token"
        in finding.message
    )
    assert (
        f"LlamaTokenizerFast of transformers {FOUR} (emulated) writes the token" in finding.message
    )
    tokaudit.fix(folder, select=["config/pooling"], tier="quick", out=tmp_path / "after")
    assert tokaudit.run_check("config/pooling", tmp_path / "after").findings == ()


def test_the_last_token_that_no_version_writes_is_an_error_too(tmp_path: Path) -> None:
    folder = of_last_token("PreTrainedTokenizerFast").write(tmp_path)
    [finding] = tokaudit.run_check("config/pooling", folder).findings
    assert str(finding.severity) == "error" and "writes the token" not in finding.message


def of_last_token(named: str) -> Folder:
    """A sentence encoder by the last token, whose settings ask for EOS and whose file has BOS."""
    begin = {"SpecialToken": {"id": "<s>", "type_id": 0}}
    one, two = ({"Sequence": {"id": name, "type_id": at}} for at, name in enumerate("AB"))
    stage = {
        "type": "TemplateProcessing",
        "single": [begin, one],
        "pair": [begin, one, two],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [256], "tokens": ["<s>"]}},
    }
    made = Folder.bpe(BYTE_OF).added("<s>", "</s>")
    made = made.changed(post_processor=stage, pre_tokenizer=LEVEL, decoder=LEVEL)
    stated = {"add_eos_token": True, "bos_token": "<s>", "eos_token": "</s>"}
    made = made.tokenizer_config(tokenizer_class=named, **stated)
    modes = {"pooling_mode_lasttoken": True, "pooling_mode_mean_tokens": False}
    return made.file("1_Pooling/config.json", {"word_embedding_dimension": 8, **modes})


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"pooling_mode": "mean", "embedding_dimension": 4}, []),
        ({"pooling_mode": "cls", "embedding_dimension": 4}, [("error", FIRST)]),
        ({"pooling_mode": ["mean", "cls"]}, [("error", FIRST)]),
        ({"pooling_mode": "average"}, [("error", "pooling_mode")]),
        ({"pooling_mode": 3}, [("error", "pooling_mode")]),
    ],
)
def test_the_form_of_version_5_is_read_as_that_of_older_ones(
    tmp_path: Path, ask: Ask, pooling: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    folder = encoder(template_of(TEXT), **pooling).tokenizer_config(cls_token="[CLS]")
    assert said(ask, folder, tmp_path) == expected


def test_a_mode_next_to_a_switch_for_another_is_a_warning(tmp_path: Path) -> None:
    stated = {"word_embedding_dimension": 4, "pooling_mode_mean_tokens": True}
    for mode, expected in (("max", ["two ways"]), ("mean", []), (["mean", "max"], [])):
        folder = Folder.bpe("ab", ["a b"]).config(hidden_size=4, vocab_size=3)
        folder = folder.settings("1_Pooling/config.json", **stated, pooling_mode=mode)
        folder.write(tmp_path)
        found = tokaudit.run_check("config/pooling", tmp_path).findings
        assert [each.cause for each in found if str(each.severity) == "warning"] == expected
