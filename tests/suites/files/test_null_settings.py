"""A key that is null is as one that is left out, unless a record says what a loader does with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tokaudit.report.model import Finding
from tokaudit.subject.opening import open_subject
from tokaudit.subject.upstream.pipeline import refuses_null
from tokaudit.subject.upstream.stated_keys import taken_kinds
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE
from tokaudit_fuzz.samples import speech

Ask = Callable[..., list[object]]
GENERATION, NAMED = "generation_config.json", "tokenizer_config.json"


@pytest.fixture
def whisper(tmp_path: Path) -> Path:
    for name, data in speech().items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def messages(found: list[object]) -> list[str]:
    return [f"{each.severity} {each.message}" for each in found if isinstance(each, Finding)]


@pytest.mark.parametrize("file", ["config.json", GENERATION])
def test_forced_decoder_ids_that_are_null_are_absent(
    ask: Ask, whisper: Path, sick: ModuleType, file: str
) -> None:
    sick.edit(whisper, GENERATION, lambda c: c.pop("forced_decoder_ids"))
    expected = ask("special_tokens/speech-prompt", whisper)
    sick.edit(whisper, file, lambda c: c.update(forced_decoder_ids=None))
    assert ask("special_tokens/speech-prompt", whisper) == expected == []


def test_no_fact_is_null_but_the_token_of_a_role(whisper: Path) -> None:
    nulls = dict.fromkeys(taken_kinds())
    (whisper / GENERATION).write_text(json.dumps(nulls))
    found = [f.name for f in open_subject(whisper).facts if f.value is None]
    roles = ["bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token"]
    assert found == [*roles, "mask_token", "unk_token"]  # the last in special_tokens_map.json


@pytest.mark.parametrize(
    ("name", "key", "said"),
    [
        ("GPT2Tokenizer", "add_prefix_space", ["warning"]),
        ("RobertaTokenizerFast", "add_prefix_space", ["warning"]),
        ("LlamaTokenizer", "add_prefix_space", []),  # as version 5 saves it
        ("Qwen2Tokenizer", "add_prefix_space", []),
        ("BertTokenizer", "do_lower_case", ["warning"]),
        ("BertTokenizer", "strip_accents", []),
        ("PreTrainedTokenizerFast", "add_prefix_space", []),
    ],
)
def test_a_switch_that_is_null_is_found_where_the_class_raises_for_it(
    ask: Ask, folder: Path, sick: ModuleType, name: str, key: str, said: list[str]
) -> None:
    sick.edit(folder, NAMED, lambda c: c.update({"tokenizer_class": name, key: None}))
    found = messages(ask("files/config-types", folder))
    assert [each.partition(" ")[0] for each in found] == said
    for each in found:
        assert f"{key} in {NAMED} is null: transformers {FIVE} raises a TypeError" in each


def test_the_classes_that_raise_for_a_null_are_those_that_were_measured() -> None:
    """What the later version raised for, class by class, made with one argument of None."""
    measured = {
        "add_prefix_space": "Bart Blenderbot CodeGen Cohere Deberta GPT2 GPTNeoX LED LayoutLMv3 "
        "Longformer Luke Mvp Roberta Whisper",
        "do_lower_case": "Bert DistilBert Electra Funnel LayoutLM LayoutLMv2 Lxmert MPNet "
        "MobileBert Splinter SqueezeBert",
        "tokenize_chinese_chars": "Bert DistilBert Electra Funnel LayoutLM LayoutLMv2 Lxmert "
        "MPNet MobileBert Splinter SqueezeBert",
    }
    switches = {key for known in every_class().values() for key in known.settings}
    found = {
        key: " ".join(
            sorted(
                name.removesuffix("Tokenizer")
                for name, known in every_class().items()
                if refuses_null(known, key)
            )
        )
        for key in switches
    }
    assert {key: names for key, names in found.items() if names} == measured
