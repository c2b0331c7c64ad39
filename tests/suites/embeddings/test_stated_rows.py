"""Matrices with a row for each of what a config counts: labels, types, tokens of drafts, codes of sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit_folders.folder import Folder, safetensors

Weights = dict[str, list[int]]
SMALL = Folder.bpe("abcdefgh", ["a b", "c d"])  # ten tokens
LABELS = {str(at): f"L{at}" for at in range(3)}
CLASSIFIER = {"architectures": ["BertForTokenClassification"], "model_type": "bert"}
MEDUSA = {"architectures": ["MedusaModel"], "vocab_size": 10}
DEEPSEEK = {"model_type": "deepseek_v3", "vocab_size": 10}
HEAD = "model.layers.1.shared_head.head.weight"


def found(path: Path, check: str = "embeddings/stated-rows") -> list[Finding]:
    return list(tokaudit.run_check(check, path, tier="quick").findings)


def holding(config: dict[str, Any], weights: Weights) -> Folder:
    return SMALL.config(**config).file("model.safetensors", safetensors(weights))


def told(tmp_path: Path, config: dict[str, Any], weights: Weights) -> list[tuple[str, str]]:
    path = holding(config, weights).write(tmp_path)
    return [(str(each.severity), each.cause) for each in found(path)]


@pytest.mark.parametrize(
    ("settings", "rows", "causes"),
    [
        ({"id2label": LABELS}, 3, []),
        ({"id2label": LABELS}, 5, ["rows of label"]),
        ({"id2label": LABELS, "num_labels": 5}, 3, []),
        ({"num_labels": 5}, 5, []),
        ({}, 2, []),
        ({}, 5, ["rows of label"]),
        ({"id2label": LABELS, "architectures": ["BertModel"]}, 5, []),
        ({"id2label": LABELS, "auto_map": {"AutoModel": "code.Model"}}, 5, []),
    ],
)
def test_a_head_of_labels_has_a_row_for_each(
    tmp_path: Path, settings: dict[str, Any], rows: int, causes: list[str]
) -> None:
    config = {**CLASSIFIER, **settings}
    assert told(tmp_path, config, {"classifier.weight": [rows, 8]}) == [
        ("error", c) for c in causes
    ]


def test_labels_without_a_row_are_told_with_both_numbers(tmp_path: Path) -> None:
    folder = holding({**CLASSIFIER, "id2label": LABELS}, {"classifier.weight": [5, 8]})
    [only] = found(folder.write(tmp_path))
    assert "counts 3 labels (id2label)" in only.message and "has 5 rows" in only.message
    assert [(p.file, p.pointer) for p in only.places] == [
        ("config.json", "/id2label"),
        ("model.safetensors", "classifier.weight"),
    ]


@pytest.mark.parametrize(
    ("config", "weights", "causes"),
    [
        (DEEPSEEK, {HEAD: [10, 8]}, []),
        (DEEPSEEK, {HEAD: [7, 8]}, ["rows of token"]),
        ({"model_type": "deepseek_v3"}, {HEAD: [7, 8]}, ["short of token"]),
        (MEDUSA, {"lm_heads.0.weight": [10, 8], "lm_heads.1.weight": [10, 8]}, []),
        (MEDUSA, {"lm_heads.0.weight": [6, 8]}, ["rows of token"]),
        ({**MEDUSA, "truncated_vocab_size": 6}, {"lm_heads.0.weight": [6, 8]}, []),
        ({"model_type": "musicgen"}, {"decoder.lm_heads.0.weight": [6, 8]}, []),
        ({"draft_vocab_size": 6, "vocab_size": 10}, {HEAD: [6, 8]}, ["rows of token"]),
    ],
)
def test_a_head_of_a_draft_has_a_row_for_each_token(
    tmp_path: Path, config: dict[str, Any], weights: Weights, causes: list[str]
) -> None:
    assert told(tmp_path, config, weights) == [("error", cause) for cause in causes]


CSM = {"model_type": "csm", "vocab_size": 6, "text_vocab_size": 10}
SPEAKING: dict[str, tuple[dict[str, Any], Weights]] = {
    "csm": (CSM, {"lm_head.weight": [6, 8], "depth_decoder.model.embed_tokens.weight": [6, 8]}),
    "seamless_m4t_v2": (
        {"model_type": "seamless_m4t_v2", "vocab_size": 10, "t2u_vocab_size": 6},
        {"t2u_model.lm_head.weight": [6, 8], "shared.weight": [10, 8], "lm_head.weight": [10, 8]},
    ),
    "qwen2_5_omni": (
        {"model_type": "qwen2_5_omni", "talker_config": {"vocab_size": 6}},
        {"talker.model.embed_tokens.weight": [6, 8]},
    ),
    "pix2struct": (
        {"model_type": "pix2struct"},
        {"encoder.encoder.layer.0.attention.output.weight": [8, 8]},
    ),
    "a model of its own": (
        {"model_type": "tiny"},
        {"model.embed_tokens.weight": [10, 8], "model.layers.1.ff.output.weight": [8, 16]},
    ),
}


@pytest.mark.parametrize("model", SPEAKING)
def test_rows_of_codes_are_not_taken_for_those_of_tokens(tmp_path: Path, model: str) -> None:
    config, weights = SPEAKING[model]
    path = holding(config, weights).write(tmp_path)
    for check in ("stated-rows", "rows", "output-rows", "config-vocab-size"):
        assert found(path, f"embeddings/{check}") == []


def test_tokens_of_a_model_that_speaks_are_counted_apart_from_its_codes(tmp_path: Path) -> None:
    weights = {"lm_head.weight": [6, 8], "embed_text_tokens.weight": [8, 8]}
    assert told(tmp_path, CSM, weights) == [("error", "rows of text token")]
    assert told(tmp_path, {**CSM, "text_vocab_size": 8}, weights) == [
        ("error", "short of text token")
    ]


@pytest.mark.parametrize(
    ("config", "severities"),
    [
        ({}, ["error"]),
        ({"additional_vocab_size": 2}, []),  # IDEFICS counts those of a second matrix
        ({"additional_vocab_size": 1}, ["error"]),
        ({"auto_map": {"AutoModelForCausalLM": "modeling_own.Own"}}, ["warning"]),
    ],
)
def test_tokens_beyond_the_declared_ids_may_have_rows_elsewhere(
    tmp_path: Path, config: dict[str, Any], severities: list[str]
) -> None:
    path = Folder.bpe("abc").added("<a>", "<b>").config(vocab_size=3, **config).write(tmp_path)
    assert [
        str(each.severity) for each in found(path, "embeddings/config-vocab-size")
    ] == severities


@pytest.mark.parametrize(
    ("config", "name", "said"),
    [
        ({"model_type": "bert", "max_position_embeddings": 12}, "position_embeddings", True),
        ({"model_type": "bert", "max_position_embeddings": 16}, "position_embeddings", False),
        ({"model_type": "deberta-v2", "max_position_embeddings": 12}, "position_embeddings", False),
    ],
)
def test_a_table_of_positions_has_a_row_for_each_that_is_stated(
    tmp_path: Path, config: dict[str, Any], name: str, said: bool
) -> None:
    weights = {f"bert.embeddings.{name}.weight": [16, 8]}
    assert told(tmp_path, config, weights) == [("error", "rows of position")] * said


@pytest.mark.parametrize(("stated", "said"), [({}, True), ({"n_positions": 16}, False)])
def test_gpt2_has_a_row_for_1024_positions_where_none_are_stated(
    tmp_path: Path, stated: dict[str, int], said: bool
) -> None:
    config = {"model_type": "gpt2", **stated}
    assert told(tmp_path, config, {"wpe.weight": [16, 8]}) == [("error", "rows of position")] * said
