"""Settings of an adapter that peft 0.21.2 refuses, or that its weights contradict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit_folders.example_folders import safetensors
from tokaudit_folders.folder import Folder

CHECK = "embeddings/adapter-settings"
LAYER = "base_model.model.model.layers.0.self_attn.{}"
SOUND = {
    "peft_type": "LORA",
    "task_type": "CAUSAL_LM",
    "r": 2,
    "lora_alpha": 4,
    "lora_dropout": 0.0,
    "bias": "none",
    "target_modules": ["q_proj", "v_proj", "k_proj"],
}


def causes(folder: Path, *more: str, without: str = "", **stated: Any) -> list[str]:
    """Causes for an adapter of rank 2 for two layers; each is an error."""
    Folder.bpe("ab", ["a b"]).write(folder)
    settings = {key: value for key, value in (SOUND | stated).items() if key != without}
    (folder / "adapter_config.json").write_text(json.dumps(settings), "utf-8")
    rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    names = [f"{each}.lora_{side}.weight" for each in ("q_proj", "v_proj") for side in "AB"]
    tensors = {LAYER.format(name): rows for name in (*names, *more)}
    (folder / "adapter_model.safetensors").write_bytes(safetensors(tensors))
    found = tokaudit.run_check(CHECK, folder).findings
    assert all(str(each.severity) == "error" for each in found)
    return [each.cause for each in found]


@pytest.mark.parametrize(
    "stated",
    [
        {},
        {"target_modules": "all-linear"},
        {"target_modules": r".*\.(q|v)_proj"},
        {"target_modules": None},
        {"r": 64, "rank_pattern": {"q_proj": 2, "v_proj": 2}},
        {"peft_type": "ADALORA", "r": "of another method"},
        {"eva_config": None, "loftq_config": {}},
        {"task_type": None},
    ],
)
def test_settings_that_build_the_layers_of_the_weights_are_sound(
    tmp_path: Path, stated: dict[str, Any]
) -> None:
    assert causes(tmp_path, **stated) == []


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"peft_type": None}, ["peft_type"]),
        ({"peft_type": "LOR"}, ["peft_type"]),
        ({"task_type": "CAUSAL"}, ["task_type"]),
        ({"eva_config": True}, ["eva_config"]),  # must be a dict or None
        ({"r": 3}, ["r of the weights"]),  # size mismatch for lora_A.default.weight
        ({"r": "2"}, ["r"]),
        ({"r": 0}, ["r", "r of the weights"]),
        ({"lora_alpha": None}, ["lora_alpha"]),
        ({"lora_dropout": "0"}, ["lora_dropout"]),
        ({"bias": "some"}, ["bias"]),
        ({"rank_pattern": "x"}, ["rank_pattern"]),
        ({"alpha_pattern": None}, ["alpha_pattern"]),
        ({"use_dora": True}, ["use_dora of the weights"]),  # magnitudes at random
        ({"target_modules": ["q_proj"]}, ["target_modules of the weights"]),
        ({"target_modules": []}, ["target_modules of the weights"]),
        ({"target_modules": "q_proj"}, ["target_modules of the weights"]),  # one whole name
    ],
)
def test_settings_that_peft_refuses_or_the_weights_contradict(
    tmp_path: Path, stated: dict[str, Any], expected: list[str]
) -> None:
    assert causes(tmp_path, **stated) == expected


def test_a_rank_that_is_left_out_is_eight(tmp_path: Path) -> None:
    assert causes(tmp_path, without="r") == ["r of the weights"]


def test_magnitudes_are_left_out_where_no_key_asks_for_them(tmp_path: Path) -> None:
    magnitude = "q_proj.lora_magnitude_vector"
    assert causes(tmp_path, magnitude) == ["use_dora of the weights"]
    assert causes(tmp_path, magnitude, use_dora=True) == []


@pytest.mark.parametrize(
    "stated",
    [{"fine_tune_type": "lora", "lora_parameters": {"rank": 8}}, {"config": {}, "name": "own"}],
    ids=["mlx-lm", "adapters"],
)
def test_settings_of_another_library_of_that_name_are_left_alone(
    tmp_path: Path, stated: dict[str, Any]
) -> None:
    Folder.bpe("ab", ["a b"]).file("adapter_config.json", stated).write(tmp_path)
    assert tokaudit.run_check(CHECK, tmp_path).findings == ()
