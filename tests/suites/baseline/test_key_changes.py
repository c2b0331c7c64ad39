"""Keys of settings files that mean something else than the base's, and those that do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders import sick

pytestmark = pytest.mark.usefixtures("processes")
Ask = Callable[..., list[Any]]
STOPS, SETTINGS = "generation_config.json", "tokenizer_config.json"
INPUTS = "model_input_names"
IMAGES, PROCESSOR, ADAPTER = (
    "preprocessor_config.json",
    "processor_config.json",
    "adapter_config.json",
)
OF_IMAGES = {"image_processor_type": "CLIPImageProcessor", "image_mean": [0.5, 0.4, 0.3]}
OF_LAYERS = {"peft_type": "LORA", "r": 8, "target_modules": ["q", "v"], "use_rslora": False}


def changed(
    ask: Ask, folder: Path, name: str, theirs: Any, mine: Any, check: str = "settings-files"
) -> list[tuple[str, str]]:
    """What a check says where the keys of one file are `theirs` in the base and `mine` here."""
    base, subject = sick.healthy(folder / "base"), sick.healthy(folder / "subject")
    for side, keys in ((base, theirs), (subject, mine)):
        file = side / name
        stated = json.loads(file.read_text("utf-8")) if file.exists() else {}
        file.write_text(json.dumps({**stated, **keys}), "utf-8")
    return [(str(each.severity), each.cause) for each in ask(f"baseline/{check}", subject, base)]


@pytest.mark.parametrize(
    ("name", "theirs", "mine"),
    [
        (STOPS, {}, {"suppress_tokens": [5]}),
        (STOPS, {"forced_eos_token_id": 5}, {}),
        (STOPS, {}, {"stop_strings": ["a"]}),
        (STOPS, {}, {"max_new_tokens": 9}),
        (STOPS, {"max_length": 100}, {}),  # version 4 then takes 20
        (STOPS, {}, {"min_new_tokens": 9}),
        (SETTINGS, {INPUTS: ["input_ids", "attention_mask"]}, {INPUTS: ["input_ids"]}),
        (IMAGES, OF_IMAGES, {**OF_IMAGES, "image_mean": [0.5, 0.5, 0.5]}),
        (ADAPTER, OF_LAYERS, {**OF_LAYERS, "use_rslora": True}),
        (ADAPTER, OF_LAYERS, {**OF_LAYERS, "target_modules": ["q"]}),
    ],
)
def test_a_key_that_loaders_act_on_is_a_warning(
    ask: Ask, tmp_path: Path, name: str, theirs: Any, mine: Any
) -> None:
    assert changed(ask, tmp_path, name, theirs, mine) == [("warning", f"keys of {name}")]


@pytest.mark.parametrize(
    ("name", "theirs", "mine"),
    [
        (STOPS, {"max_new_tokens": 9}, {"max_new_tokens": 99}),  # no answer ends earlier
        (STOPS, {"suppress_tokens": [5, 6]}, {"suppress_tokens": [6, 5]}),
        (STOPS, {}, {"temperature": 0.5}),
        (SETTINGS, {}, {"errors": "replace"}),  # which loaders take anyway
        (IMAGES, OF_IMAGES, {**OF_IMAGES, "image_processor_type": "CLIPImageProcessorFast"}),
        (IMAGES, OF_IMAGES, {**OF_IMAGES, "do_pad": None}),
        (ADAPTER, OF_LAYERS, {**OF_LAYERS, "target_modules": ["v", "q"]}),
        (ADAPTER, OF_LAYERS, {**OF_LAYERS, "lora_dropout": 0.1, "use_dora": False}),
    ],
)
def test_a_key_that_means_the_same_is_at_most_information(
    ask: Ask, tmp_path: Path, name: str, theirs: Any, mine: Any
) -> None:
    said = changed(ask, tmp_path, name, theirs, mine)
    assert {severity for severity, _ in said} <= {"info"}


def test_settings_of_images_are_found_inside_the_processors_file(ask: Ask, tmp_path: Path) -> None:
    """Where version 5 writes them, and reads them before the file of their own."""
    base, subject = sick.healthy(tmp_path / "base"), sick.healthy(tmp_path / "subject")
    (base / IMAGES).write_text(json.dumps(OF_IMAGES), "utf-8")
    processor = subject / PROCESSOR
    processor.write_text(json.dumps({"image_processor": OF_IMAGES}), "utf-8")
    assert ask("baseline/settings-files", subject, base) == []
    dark = {**OF_IMAGES, "image_mean": [0.0, 0.0, 0.0]}
    processor.write_text(json.dumps({"image_processor": dark}), "utf-8")
    (found,) = ask("baseline/settings-files", subject, base)
    assert str(found.severity) == "warning"
    assert "image_mean is [0.0, 0.0, 0.0], not [0.5, 0.4, 0.3]" in found.message
    assert found.places[0].pointer == "/image_processor/image_mean"


@pytest.mark.parametrize(("mine", "severity"), [(1000, "warning"), (4000, "info")])
def test_a_shorter_length_is_a_warning_and_a_longer_one_is_not(
    ask: Ask, tmp_path: Path, mine: int, severity: str
) -> None:
    lengths = {"model_max_length": 2000}, {"model_max_length": mine}
    said = changed(ask, tmp_path, SETTINGS, *lengths, check="loader-settings")
    assert said == [(severity, "model max length")]
