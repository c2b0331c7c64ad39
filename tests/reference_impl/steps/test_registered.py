"""A step of the pipeline is a file; nothing else names it."""

from __future__ import annotations

import pkgutil
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tokaudit_reference.spec import Component, ModelType, TokenizerSpec, Unsupported
from tokaudit_reference.steps.decoders import Decoder
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer
from tokaudit_reference.steps.registered import PACKAGES, step_types, steps_in

SHOUTING = """
from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.step import NormalizerStep, character_wise


@dataclass(frozen=True)
class Shout(NormalizerStep):
    type = "Shout"

    def build(self):
        return character_wise(str.upper)
"""


@pytest.fixture
def added_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more file in the package of normalizers, for the time of a test."""
    package = import_module("tokaudit_reference.steps.normalizers")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    (tmp_path / "shouting.py").write_text(SHOUTING)
    step_types.cache_clear()
    yield
    step_types.cache_clear()


@pytest.mark.usefixtures("added_file")
def test_a_file_with_a_class_is_all_that_a_new_step_takes() -> None:
    assert normalizer(Component({"type": "Shout"}))("aß") == "ASS"


@pytest.mark.parametrize("stage", PACKAGES)
def test_no_two_modules_bring_the_same_type(stage: str) -> None:
    package = PACKAGES[stage]
    modules = pkgutil.iter_modules(import_module(package).__path__, f"{package}.")
    types = [step.type for module in modules for step in steps_in(import_module(module.name))]
    assert [type for type, times in Counter(types).items() if times > 1] == []


@pytest.mark.parametrize("kind", ["Nonsense", "", None, 7, ["NFC"], {"NFC": 1}])
def test_a_type_that_no_module_has_is_unsupported_and_named(kind: object) -> None:
    stage = Component({"type": kind})
    spec = TokenizerSpec(ModelType.WORDLEVEL, {}, decoder=stage)
    for name, build in {
        "normalizer": lambda: normalizer(stage),
        "pre-tokenizer": lambda: pre_tokenizer(stage),
        "decoder": lambda: Decoder(spec),
    }.items():
        with pytest.raises(Unsupported, match=f"the {name} .* is not covered"):
            build()
