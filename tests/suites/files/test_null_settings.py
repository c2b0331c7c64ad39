"""A key that is null is as one that is left out, unless a record says what a loader does with it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tokaudit.report.model import Finding
from tokaudit.subject import configs
from tokaudit.subject.material import Fact
from tokaudit.subject.opening import open_subject
from tokaudit.subject.upstream.pipeline import refuses_null
from tokaudit.subject.upstream.records import settings_files
from tokaudit.subject.upstream.setting_key import every_setting, taken_kinds
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


OF_OTHER_KEYS = ("added_tokens.json", "model.safetensors.index.json")  # tokens, and tensors
FILES = [file for file in settings_files() if file not in OF_OTHER_KEYS]
EVERY_KEY = sorted({*taken_kinds(), *(each.key for each in every_setting() if each.file in FILES)})


def facts(folder: Path, file: str, content: object) -> list[tuple[str, object]]:
    """The facts of a folder with that content of a file, without nulls that are values."""
    (folder / file).write_text(json.dumps(content))
    return [(f.name, f.value) for f in open_subject(folder).facts if f.value is not None]


def moved_by_nulls(folder: Path) -> list[str]:
    """The files whose nulls say what an absent key does not."""
    wrong = []
    for file in FILES:
        old = (folder / file).read_text() if (folder / file).exists() else None
        stated = json.loads(old) if old else {}
        nulls = {key: None for key in EVERY_KEY if key not in stated}
        if facts(folder, file, {**stated, **nulls}) != facts(folder, file, stated):
            wrong.append(file)
    return wrong


def test_every_key_that_is_null_is_as_one_that_is_absent(whisper: Path) -> None:
    """Exhaustive over the keys of `subject/upstream/settings` and the files that state facts."""
    assert len(EVERY_KEY) > 150
    assert moved_by_nulls(whisper) == []


def test_a_null_that_becomes_a_fact_is_noticed(
    whisper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded breach: a reader that takes a null for the default of the key."""

    def by_default(data: Any, *of: Any) -> Iterator[Fact]:
        return read({key: 0 if value is None else value for key, value in data.items()}, *of)

    read = configs.stated
    monkeypatch.setattr(configs, "stated", by_default)
    for module in (each for each in sys.modules.values() if getattr(each, "stated", None) is read):
        monkeypatch.setattr(module, "stated", by_default)
    assert moved_by_nulls(whisper) != []


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
