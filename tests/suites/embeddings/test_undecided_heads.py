"""A matrix that is quantised, or in a shard that is missing, is not decided: nothing is guessed."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Status
from tokaudit_faults.folders.checkpoint import lose_a_shard

Ask = Callable[..., list[Any]]
Shapes = dict[str, tuple[str, list[int]]]
BYTES = {"F16": 2, "I32": 4, "U32": 4, "U8": 1, "I8": 1, "F32": 4}
EMBEDDING: Shapes = {"model.embed_tokens.weight": ("F16", [380, 8])}
GPTQ: Shapes = {"lm_head.qweight": ("I32", [1, 380]), "lm_head.scales": ("F16", [1, 380])}
EXL2: Shapes = {"lm_head.q_weight": ("I32", [2, 380]), "lm_head.q_scale": ("I32", [1, 48])}
PACKED: Shapes = {"lm_head.weight_packed": ("I32", [380, 1])}
FOUR_BITS: Shapes = {"lm_head.weight": ("U8", [1520, 1]), "lm_head.weight.absmax": ("F32", [48])}
EIGHT_BITS: Shapes = {"lm_head.weight": ("I8", [380, 8]), "lm_head.SCB": ("F32", [380])}


def store(folder: Path, tensors: Shapes) -> None:
    """Write a safetensors file of zeros with these tensors."""
    header, at = {}, 0
    for name, (dtype, shape) in tensors.items():
        end = at + math.prod(shape) * BYTES[dtype]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(at))


@pytest.mark.parametrize("check", ["embeddings/output-rows", "embeddings/tied"])
@pytest.mark.parametrize("head", [GPTQ, EXL2, PACKED, FOUR_BITS], ids=["gptq", "exl2", "ct", "bnb"])
def test_a_packed_head_is_not_decided(folder: Path, ask: Ask, head: Shapes, check: str) -> None:
    store(folder, EMBEDDING | head)
    with pytest.raises(Skip, match=r"not decided: lm_head\.\w+ is quantised \(\w+\)"):
        ask(check, folder)


def test_a_packed_embedding_is_not_decided(folder: Path, ask: Ask) -> None:
    store(folder, {"model.embed_tokens.weight": ("U8", [1520, 1])})
    with pytest.raises(Skip, match=r"embed_tokens\.weight is quantised \(U8\)"):
        ask("embeddings/rows", folder)


def test_a_scale_for_each_row_shows_the_rows(folder: Path, ask: Ask) -> None:
    store(folder, EMBEDDING | EIGHT_BITS)
    assert ask("embeddings/output-rows", folder) == []


def test_a_plain_head_that_is_short_is_found_next_to_quantised_layers(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    method = {"quant_method": "gptq"}
    sick.edit(folder, "config.json", lambda c: c.update(quantization_config=method))
    store(folder, EMBEDDING | {"lm_head.weight": ("F16", [379, 8])})
    (finding,) = ask("embeddings/output-rows", folder)
    assert finding.message.startswith("lm_head.weight has 379 rows for 380 ids")


def test_a_stated_quantisation_leaves_an_absent_head_undecided(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    store(folder, EMBEDDING)
    (finding,) = ask("embeddings/tied", folder)
    assert "fill that matrix at random" in finding.message
    method = {"quant_method": "bitsandbytes"}
    sick.edit(folder, "config.json", lambda c: c.update(quantization_config=method))
    with pytest.raises(Skip, match=r"config\.json states a quantization_config"):
        ask("embeddings/tied", folder)


def test_a_missing_shard_costs_its_tensors_and_no_other_check(
    folder: Path,
) -> None:
    lose_a_shard(folder)
    report = tokaudit.audit(folder, tier="quick", select=["embeddings"])
    status = {result.check: result.status for result in report.results}
    assert status["embeddings/shards"] is Status.FAILED
    assert status["embeddings/rows"] is Status.PASSED
    assert status["embeddings/output-rows"] is Status.SKIPPED


def test_an_index_without_any_weights_is_a_copy_without_them(folder: Path, ask: Ask) -> None:
    (folder / "model.safetensors").unlink()
    index = {"weight_map": {"lm_head.weight": "1.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(NotApplicable, match="none of the weights that it names"):
        ask("embeddings/shards", folder)
