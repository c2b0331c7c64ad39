"""Sizes are read of models however they hold their matrices, and of configs in every form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from first_batches import Matrix

import tokaudit
from tokaudit.products.preflight.model_sizes import model_facts


class Layer:
    def __init__(self, weight: Any, **sizes: int) -> None:
        self.weight = weight
        vars(self).update(sizes)


class WithInput:
    def __init__(self, layer: Any) -> None:
        self.layer = layer

    def get_input_embeddings(self) -> Any:
        return self.layer


class Partitioned(Matrix):
    ds_shape = (32, 8)


class Wrapper:
    def __init__(self, module: object) -> None:
        self.module = module


class Named:
    def named_parameters(self) -> Any:
        return [("model.embed_tokens.weight", Matrix(10, 4)), ("lm_head.weight", Matrix(12, 4))]


def counts(model: object = None, config: object = None) -> list[int]:
    return [size.count for size in model_facts(model, config).sizes]


def test_a_layer_that_is_a_matrix_or_has_one() -> None:
    assert counts(WithInput(Layer(Matrix(16, 8)))) == [16]
    assert counts(WithInput(Matrix(16, 8))) == [16]


def test_a_matrix_of_which_a_part_is_here_states_its_whole_height() -> None:
    assert counts(WithInput(Layer(Partitioned(0)))) == [32]
    assert counts(WithInput(Layer(Matrix(0), num_embeddings=48))) == [48]


def test_a_model_inside_of_another() -> None:
    assert counts(Wrapper(Wrapper(WithInput(Matrix(16, 8))))) == [16]


def test_matrices_by_their_names() -> None:
    assert counts(Named()) == [10, 12]
    facts = model_facts(Named(), None)
    inner, outer = facts.least(writes=False), facts.least(writes=True)
    assert inner is not None and (inner.count, inner.stated_by) == (10, "model.embed_tokens.weight")
    assert outer is not None and outer.count == 10


def test_the_part_of_a_config_that_reads_text_decides() -> None:
    assert counts(config={"vocab_size": 3, "text_config": {"vocab_size": 9}}) == [9]


@pytest.mark.parametrize("given", [11, {"vocab_size": 11}, "file", "folder", "object"])
def test_a_config_in_every_form(given: Any, tmp_path: Path) -> None:
    class Config:
        vocab_size = 11
        dtype = object()

        def to_dict(self) -> dict[str, Any]:
            return {"vocab_size": 11, "dtype": self.dtype}

    (tmp_path / "config.json").write_text(json.dumps({"vocab_size": 11}))
    forms = {"file": tmp_path / "config.json", "folder": str(tmp_path), "object": Config()}
    config = forms[given] if isinstance(given, str) else given
    assert counts(config=config) == [11]


def test_a_config_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(tokaudit.UsageError, match="config: True is not a config"):
        model_facts(None, True)
    with pytest.raises(tokaudit.UnreadableError, match=r"config\.json: No such file"):
        model_facts(None, tmp_path)
