"""The width that leaves a module of a sentence encoder is the width that the next one takes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokaudit
from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK, OURS = "config/module-widths", "sentence_transformers.models."
POOLING = "1_Pooling/config.json"
Modules = Sequence[tuple[str, dict[str, Any]]]


def encoder(modules: Modules, hidden: int | None = 4, of: str = OURS) -> Folder:
    """A folder of modules by kind and settings, each in a folder of its own after the model's."""
    folder = Folder.bpe("ab", ["a b"])
    if hidden is not None:
        folder = folder.config(hidden_size=hidden, vocab_size=3)
        modules = [("Transformer", {}), *modules]
    listed = []
    for at, (kind, stated) in enumerate(modules):
        path = f"{at}_{kind}" if at or hidden is None else ""
        listed.append({"idx": at, "name": str(at), "path": path, "type": of + kind})
        name = {"CNN": "cnn_config.json", "LSTM": "lstm_config.json"}.get(kind, "config.json")
        if stated:
            folder = folder.settings(f"{path}/{name}", **stated)
    return folder.file("modules.json", listed)


def said(ask: Ask, folder: Folder, path: Path) -> list[tuple[str, str]]:
    return [(str(each.severity), each.places[0].file) for each in ask(CHECK, folder.write(path))]


def mean(width: int) -> tuple[str, dict[str, Any]]:
    return "Pooling", {"word_embedding_dimension": width, "pooling_mode_mean_tokens": True}


def dense(taken: int, given: int, **more: Any) -> tuple[str, dict[str, Any]]:
    return "Dense", {"in_features": taken, "out_features": given, **more}


TWO = {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True}
SOUND: list[tuple[Modules, int | None]] = [
    ([mean(4), dense(4, 9), ("Normalize", {}), ("LayerNorm", {"dimension": 9})], 4),
    ([("Pooling", {"word_embedding_dimension": 4, **TWO}), dense(8, 2)], 4),
    ([("Pooling", {"embedding_dimension": 4, "pooling_mode": ["cls", "max", "mean"]})], 4),
    ([("Pooling", {"embedding_dimension": 4, "pooling_mode": "cls"}), dense(4, 1)], 4),
    ([dense(4, 2, module_input_name="token_embeddings")], 4),
    ([("CNN", {"in_word_embedding_dimension": 4, "out_channels": 5}), mean(15)], 4),
    ([("LSTM", {"embedding_dimension": 4, "hidden_dim": 5}), mean(10), dense(10, 3)], 4),
    (
        [
            ("LSTM", {"word_embedding_dimension": 4, "hidden_dim": 5, "bidirectional": False}),
            mean(5),
        ],
        4,
    ),
    ([("BoW", {"vocab": ["a", "b", "b"]}), dense(2, 7), dense(7, 7)], None),
    (
        [
            mean(4),
            ("SparseAutoEncoder", {"input_dim": 4}),
            ("Dense", {"in_features": 512, "out_features": 1}),
        ],
        4,
    ),
    ([("Router", {"types": {}}), dense(99, 1)], 4),
]
BROKEN: list[tuple[Modules, int | None, str, str]] = [
    ([mean(4), dense(8, 2)], 4, "error", "2_Dense/config.json"),
    ([mean(4), dense(4, 2), dense(3, 2)], 4, "error", "3_Dense/config.json"),
    (
        [mean(4), dense(4, 9), ("Normalize", {}), ("LayerNorm", {"dimension": 4})],
        4,
        "error",
        "4_LayerNorm/config.json",
    ),
    (
        [("Pooling", {"word_embedding_dimension": 4, **TWO}), dense(4, 2)],
        4,
        "error",
        "2_Dense/config.json",
    ),
    ([mean(8)], 4, "error", POOLING),
    ([mean(8), dense(4, 2)], 4, "warning", POOLING),
    ([mean(8), dense(8, 2)], 4, "error", "2_Dense/config.json"),
    ([dense(5, 2, module_input_name="token_embeddings")], 4, "error", "1_Dense/config.json"),
    (
        [("CNN", {"in_word_embedding_dimension": 4, "out_channels": 5}), mean(5)],
        4,
        "error",
        "2_Pooling/config.json",
    ),
    (
        [("LSTM", {"embedding_dimension": 6, "hidden_dim": 5}), mean(10)],
        4,
        "error",
        "1_LSTM/lstm_config.json",
    ),
    (
        [("LSTM", {"embedding_dimension": 4, "hidden_dim": 5}), mean(5)],
        4,
        "error",
        "2_Pooling/config.json",
    ),
    ([("BoW", {"vocab": ["a", "b", "b"]}), dense(3, 7)], None, "error", "1_Dense/config.json"),
    (
        [mean(4), ("SparseAutoEncoder", {"input_dim": 5})],
        4,
        "error",
        "2_SparseAutoEncoder/config.json",
    ),
    (
        [("WeightedLayerPooling", {"embedding_dimension": 5}), mean(4)],
        4,
        "warning",
        "1_WeightedLayerPooling/config.json",
    ),
]


@pytest.mark.parametrize(("modules", "hidden"), SOUND)
def test_modules_that_fit_are_silent(
    tmp_path: Path, ask: Ask, modules: Modules, hidden: int | None
) -> None:
    assert said(ask, encoder(modules, hidden), tmp_path) == []


@pytest.mark.parametrize(("modules", "hidden", "severity", "file"), BROKEN)
def test_one_finding_names_the_module_that_the_width_does_not_fit(
    tmp_path: Path, ask: Ask, modules: Modules, hidden: int | None, severity: str, file: str
) -> None:
    assert said(ask, encoder(modules, hidden), tmp_path) == [(severity, file)]


def test_modules_of_the_checkpoints_own_code_are_not_judged(tmp_path: Path, ask: Ask) -> None:
    assert said(ask, encoder([mean(4), dense(8, 2)], of="custom_st."), tmp_path) == []


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"transformer_task": "fill-mask"}, []),
        ({"transformer_task": "feature-extraction"}, [("error", "1_SpladePooling/config.json")]),
        ({"transformer_task": "text-generation"}, []),
        ({"module_output_name": "sentence_embedding"}, []),
    ],
)
def test_a_sparse_vector_is_as_long_as_the_vocabulary(
    tmp_path: Path, ask: Ask, keys: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    folder = encoder([("SpladePooling", {"word_embedding_dimension": 3})])
    assert said(ask, folder.settings("sentence_bert_config.json", **keys), tmp_path) == expected


def test_a_sparse_vector_of_another_length_is_found(tmp_path: Path, ask: Ask) -> None:
    folder = encoder(
        [("MLMTransformer", {"vocab_size": 30}), ("SpladePooling", {"embedding_dimension": 31})],
        None,
    )
    assert said(ask, folder, tmp_path) == [("error", "1_SpladePooling/config.json")]


@pytest.mark.parametrize(
    ("shape", "stated", "expected"),
    [
        ((2, 4), (4, 2), []),
        ((2, 4), (8, 2), [("error", "2_Dense/config.json")]),  # once: the weights fit the model
        ((3, 4), (4, 2), [("error", "2_Dense/config.json")]),
        ((2, 8), (8, 2), [("error", "2_Dense/config.json")]),
    ],
)
def test_the_weights_of_a_module_are_as_its_config_says(
    tmp_path: Path,
    ask: Ask,
    shape: tuple[int, int],
    stated: tuple[int, int],
    expected: list[tuple[str, str]],
) -> None:
    folder = encoder([mean(4), dense(*stated)])
    folder = folder.weights("2_Dense/model.safetensors", linear__weight=shape)
    assert said(ask, folder, tmp_path) == expected


def test_a_width_that_only_weights_state_is_followed(tmp_path: Path, ask: Ask) -> None:
    folder = encoder([("StaticEmbedding", {}), dense(5, 2)], None)
    folder = folder.weights("0_StaticEmbedding/model.safetensors", embeddings=(3, 4))
    assert said(ask, folder, tmp_path) == [("error", "1_Dense/config.json")]


def test_the_config_that_the_weights_refute_is_repaired_by_them(tmp_path: Path) -> None:
    folder = encoder([mean(4), dense(8, 2)])
    folder = folder.weights("2_Dense/model.safetensors", linear__weight=(2, 4))
    path = folder.write(tmp_path / "before")
    [finding] = tokaudit.run_check(CHECK, path).findings
    assert "in_features in 2_Dense/config.json is 8" in finding.message
    assert "linear.weight in 2_Dense/model.safetensors is made for 4" in finding.message
    tokaudit.fix(path, select=[CHECK], tier="quick", out=tmp_path / "after")
    stated = json.loads((tmp_path / "after" / "2_Dense" / "config.json").read_text("utf-8"))
    assert stated == {"in_features": 4, "out_features": 2}


@pytest.mark.parametrize(
    ("model", "width", "expected"),
    [
        ({"hidden_size": 4}, 4, []),
        ({"hidden_size": 4}, 8, [("error", POOLING)]),
        ({"d_model": 8}, 4, [("error", POOLING)]),
        ({"d_model": 8, "hidden_size": 4}, 4, []),
        ({"hidden_size": 8, "word_embed_proj_dim": 4}, 4, []),
        ({"vision_config": {"hidden_size": 4}}, 8, []),
    ],
)
def test_a_pooling_that_no_list_names_is_after_the_model(
    tmp_path: Path, ask: Ask, model: dict[str, Any], width: int, expected: list[tuple[str, str]]
) -> None:
    folder = Folder.bpe("ab", ["a b"]).config(**model)
    folder = folder.settings(POOLING, word_embedding_dimension=width)
    assert said(ask, folder, tmp_path) == expected


def test_a_folder_without_modules_is_not_asked(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        ask(CHECK, Folder.bpe("ab").config(hidden_size=4).write(tmp_path))


@pytest.mark.parametrize(
    "listed",
    [
        {},
        [3],
        [{"path": 3, "type": None}],
        [{"type": OURS + "Dense"}],
        [{"path": "../x", "type": OURS + "Dense"}],
    ],
)
def test_a_list_that_is_none_is_passed_over(tmp_path: Path, ask: Ask, listed: object) -> None:
    folder = Folder.bpe("ab").config(hidden_size=4).file("modules.json", listed)
    assert said(ask, folder, tmp_path) == []


@pytest.mark.parametrize("odd", [True, "8", 8.5, -1, None, [8], 2**70])
def test_a_width_that_is_no_width_is_not_compared(tmp_path: Path, ask: Ask, odd: object) -> None:
    assert said(ask, encoder([mean(4), ("Dense", {"in_features": odd})]), tmp_path) in (
        [],
        [("error", "2_Dense/config.json")] if odd == 2**70 else [],
    )


@settings(max_examples=40, deadline=None)
@given(
    widths=st.lists(st.integers(1, 64), min_size=2, max_size=6),
    broken=st.integers(0, 5),
    more=st.integers(1, 9),
)
def test_a_drawn_chain_is_silent_until_one_link_is_broken(
    tmp_path_factory: pytest.TempPathFactory, widths: list[int], broken: int, more: int
) -> None:
    """The breach is seeded: one module of the chain takes another width than the one before gives."""
    chain = [dense(*pair) for pair in pairwise(widths)]
    at = broken % len(chain)
    kind, stated = chain[at]
    other = [*chain[:at], (kind, {**stated, "in_features": widths[at] + more}), *chain[at + 1 :]]
    found = [
        tokaudit.run_check(
            CHECK, encoder([mean(widths[0]), *each], widths[0]).write(tmp_path_factory.mktemp("x"))
        ).findings
        for each in (chain, other)
    ]
    assert [[each.places[0].file for each in of] for of in found] == [
        [],
        [f"{at + 2}_Dense/config.json"],
    ]


def weights_of_torch() -> bytes:
    """A file as torch writes it, with one matrix of two rows and two columns."""
    storage = b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\x000X\3\0\0\0cpuK\4tQ"
    matrix = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\0(K\2K\2t(K\2K\1t\x89}tR"
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as made:
        made.writestr("m/data.pkl", b"\x80\2}X\r\0\0\0linear.weight" + matrix + b"s.")
        made.writestr("m/data/0", bytes(16))
    return written.getvalue()


@pytest.mark.parametrize(("width", "expected"), [(2, []), (4, [("error", "2_Dense/config.json")])])
def test_weights_of_torch_are_read_where_no_others_are_there(
    tmp_path: Path, ask: Ask, width: int, expected: list[tuple[str, str]]
) -> None:
    folder = encoder([mean(2), dense(width, 2)], 2)
    torch = folder.file("2_Dense/pytorch_model.bin", weights_of_torch())
    assert said(ask, torch, tmp_path / "a") == expected
    both = torch.weights("2_Dense/model.safetensors", linear__weight=(2, 2))
    assert said(ask, both, tmp_path / "b") == expected
