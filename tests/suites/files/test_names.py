"""Files that nobody reads, because their names are nearly those that loaders read."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.subject.upstream.versions import BOTH
from tokaudit_folders.folder import Folder


def said(folder: Path) -> list[tuple[str, str, str]]:
    found = tokaudit.run_check("files/names", folder).findings
    return [(str(each.severity), each.cause, each.message) for each in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Folder.bpe({"a": 0, "b": 1}, []).tokenizer_config(eos_token="b").write(tmp_path)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Config.json", "config.json"),
        ("generation-config.json", "generation_config.json"),
        ("generation_confg.json", "generation_config.json"),
        ("special_tokens_map (1).json", "special_tokens_map.json"),
        ("chat_template.jinja2", "chat_template.jinja"),
        ("config.json.txt", "config.json"),
    ],
)
def test_a_name_that_is_nearly_one_that_loaders_read_is_a_warning(
    folder: Path, name: str, meant: str
) -> None:
    (folder / name).write_text("{}", "utf-8")
    assert said(folder) == [
        ("warning", meant, f"{name} is not read: loaders look for {meant}, which the folder lacks.")
    ]


def test_a_second_file_next_to_the_one_that_loaders_read_is_silent(folder: Path) -> None:
    for name in ("config.json", "Config.json", "config (1).json"):
        (folder / name).write_text("{}", "utf-8")
    assert said(folder) == []


@pytest.mark.parametrize("name", ["README.md", "configuration.py", "training_config.json"])
def test_other_names_are_silent(folder: Path, name: str) -> None:
    (folder / name).write_text("{}", "utf-8")
    assert said(folder) == []


@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_weights_without_a_config_are_a_warning(folder: Path, weights: str) -> None:
    (folder / weights).write_bytes(b"")
    assert said(folder) == [
        (
            "warning",
            "no config",
            f"{weights} is here, but no config.json: {BOTH} do not load the model.",
        )
    ]


def test_weights_that_are_pointers_need_no_config(folder: Path) -> None:
    (folder / "model.safetensors").write_text(
        "version https://git-lfs.github.com/spec/v1\n", "utf-8"
    )
    assert said(folder) == []


@pytest.mark.parametrize(
    "other", ["config.json", "modules.json", "adapter_config.json", "gliner_config.json"]
)
def test_weights_next_to_the_config_of_some_model_are_silent(folder: Path, other: str) -> None:
    (folder / "model.safetensors").write_bytes(b"")
    (folder / other).write_text("{}", "utf-8")
    assert said(folder) == []
