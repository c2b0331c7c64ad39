"""The type of a model under a name that transformers has, next to the class that tells it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Severity
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
LLAMA = ["LlamaForCausalLM"]


def of(tmp_path: Path, **config: object) -> Path:
    return Folder.bpe("ab").config(**config).write(tmp_path)


@pytest.mark.parametrize(
    ("config", "cause"),
    [
        ({"model_type": "llam"}, "unknown"),
        ({"model_type": "LLaMA"}, "unknown"),
        ({"model_type": None}, "unstated"),
        ({}, "unstated"),
    ],
)
def test_a_type_that_no_version_has_is_a_warning_that_names_that_of_the_class(
    tmp_path: Path, ask: Ask, config: dict[str, Any], cause: str
) -> None:
    (found,) = ask("config/model-type", of(tmp_path, architectures=LLAMA, **config))
    assert (found.severity, found.cause) == (Severity.WARNING, cause)
    assert "LlamaForCausalLM has the type 'llama'" in found.message


@pytest.mark.parametrize("name", ["llamaforcausallm", "LlamaForCausalLm", "LlamaForCasualLM"])
def test_a_class_that_no_library_has_is_a_warning_with_the_end_that_it_should_have(
    tmp_path: Path, ask: Ask, name: str
) -> None:
    folder = of(tmp_path, model_type="llama", architectures=[name])
    (found,) = ask("config/model-type", folder)
    assert (found.severity, found.cause) == (Severity.WARNING, "class")
    assert "such names end in 'ForCausalLM'" in found.message


@pytest.mark.parametrize("kind", ["llama", "mistral"])
def test_a_type_that_a_version_has_is_silent_whatever_the_class(
    tmp_path: Path, ask: Ask, kind: str
) -> None:
    assert ask("config/model-type", of(tmp_path, architectures=LLAMA, model_type=kind)) == []


@pytest.mark.parametrize(
    "config",
    [
        {"architectures": ["OwnForCausalLM"], "model_type": "own"},
        {"architecture": "resnet50"},
        {"architectures": LLAMA, "auto_map": {"AutoConfig": "own.Config"}},
    ],
)
def test_a_class_that_transformers_lacks_is_not_asked(
    tmp_path: Path, ask: Ask, config: dict[str, Any]
) -> None:
    with pytest.raises(NotApplicable):
        ask("config/model-type", of(tmp_path, **config))
