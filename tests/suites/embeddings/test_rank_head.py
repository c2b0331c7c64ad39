"""A GGUF file that ranks texts has a head; any other file is not asked for one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders import gguf_files as g

Ask = Callable[..., list[Any]]
CHECK = "embeddings/rank-head"
TOKENS = ["<unk>", "<s>", "</s>", "\u2581", "a"]
BODY: g.Tensor = ("token_embd.weight", [8, 5], 0, 0)
HEAD: g.Tensor = ("cls.output.weight", [8, 2], 0, 160)
DENSE: g.Tensor = ("cls.weight", [8, 8], 0, 160)
BIAS: g.Tensor = ("cls.output.bias", [2], 0, 160)


def model(folder: Path, pooling: int, *tensors: g.Tensor) -> Path:
    keys = g.tokenizer("llama", TOKENS, scores=(g.F32, [0.0] * 5))
    keys |= {"general.architecture": (g.TEXT, "qwen3"), "qwen3.pooling_type": (g.U32, pooling)}
    path = folder / "model.gguf"
    path.write_bytes(g.gguf(keys, tensors, weights=1024 if tensors else 0))
    return path


@pytest.mark.parametrize("tensors", [(BODY,), (BODY, BIAS)])
def test_a_file_that_ranks_without_a_head_is_an_error(
    tmp_path: Path, ask: Ask, tensors: tuple[g.Tensor, ...]
) -> None:
    [found] = ask(CHECK, model(tmp_path, 4, *tensors))
    assert (str(found.severity), found.cause) == ("error", "no head")
    assert found.places[0].pointer == "qwen3.pooling_type"


@pytest.mark.parametrize("head", [HEAD, DENSE])
def test_a_head_of_one_or_two_layers_is_one(tmp_path: Path, ask: Ask, head: g.Tensor) -> None:
    assert ask(CHECK, model(tmp_path, 4, BODY, head)) == []


def test_a_file_that_takes_the_last_vector_needs_no_head(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable, match="ranks texts"):
        ask(CHECK, model(tmp_path, 3, BODY))
