"""An adapter that adds tokens needs rows for them, its own or the base's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK, ADAPTER = "embeddings/adapter-rows", "adapter_model.safetensors"
BASE = Folder.bpe("ab", ["a b"])
ADDED = BASE.added("<|new|>")
LORA = {"base_model__q_proj__lora_A__weight": (8, 4)}


def said(ask: Ask, path: Path, folder: Folder, base: Folder) -> list[tuple[str, str]]:
    found = ask(CHECK, folder.write(path / "adapter"), base.write(path / "base"))
    return [(str(each.severity), each.cause) for each in found]


def with_rows(rows: int) -> Folder:
    return BASE.weights(embed_tokens__weight=(rows, 4))


def test_a_token_beyond_the_rows_of_the_base_is_an_error(tmp_path: Path, ask: Ask) -> None:
    folder = ADDED.weights(ADAPTER, **LORA)
    assert said(ask, tmp_path, folder, with_rows(3)) == [("error", "no row")]


def test_a_size_that_the_base_declares_counts_as_its_rows(tmp_path: Path, ask: Ask) -> None:
    folder = ADDED.weights(ADAPTER, **LORA)
    assert said(ask, tmp_path, folder, BASE.config(vocab_size=3)) == [("error", "no row")]
    assert said(ask, tmp_path, folder, BASE.config(vocab_size=8)) == []


def test_a_base_whose_rows_no_file_states_leaves_a_warning(tmp_path: Path, ask: Ask) -> None:
    folder = ADDED.weights(ADAPTER, **LORA)
    assert said(ask, tmp_path, folder, BASE) == [("warning", "no row")]


def test_a_reserved_row_of_the_base_is_enough(tmp_path: Path, ask: Ask) -> None:
    folder = ADDED.weights(ADAPTER, **LORA)
    assert said(ask, tmp_path, folder, with_rows(4)) == []


def test_an_embedding_in_the_adapter_is_enough(tmp_path: Path, ask: Ask) -> None:
    saved = ADDED.weights(ADAPTER, base_model__embed_tokens__weight=(4, 4), **LORA)
    assert said(ask, tmp_path, saved, with_rows(3)) == []
    short = ADDED.weights(ADAPTER, base_model__embed_tokens__weight=(3, 4), **LORA)
    assert said(ask, tmp_path, short, with_rows(3)) == [("error", "no row")]


@pytest.mark.parametrize(
    ("indices", "expected"),
    [
        ([3], []),
        ({"embed_tokens": [3]}, []),
        ([2], [("error", "no row")]),
        ("3", [("error", "no row")]),
    ],
)
def test_the_row_of_a_single_token_is_enough(
    tmp_path: Path, ask: Ask, indices: Any, expected: list[tuple[str, str]]
) -> None:
    delta = {"base_model__embed_tokens__token_adapter__trainable_tokens_delta": (1, 4)}
    folder = ADDED.weights(ADAPTER, **LORA, **delta)
    folder = folder.settings("adapter_config.json", trainable_token_indices=indices)
    assert said(ask, tmp_path, folder, with_rows(3)) == expected


def test_whole_weights_are_no_adapter(tmp_path: Path, ask: Ask) -> None:
    with pytest.raises(NotApplicable):
        said(ask, tmp_path, ADDED.weights(embed_tokens__weight=(3, 4)), with_rows(3))


def test_without_a_base_tokens_beyond_the_models_own_entries_are_information(
    tmp_path: Path, ask: Ask
) -> None:
    folder = ADDED.weights(ADAPTER, **LORA)
    folder = folder.settings("adapter_config.json", base_model_name_or_path="acorn/oak")
    (found,) = ask(CHECK, folder.write(tmp_path / "adapter"))
    assert (str(found.severity), found.cause) == ("info", "no row")
    assert (
        "No file here states whether the base acorn/oak (which --base names) has rows for it"
        in found.message
    )


def test_without_a_base_and_without_added_tokens_nothing_is_said(tmp_path: Path, ask: Ask) -> None:
    assert ask(CHECK, BASE.weights(ADAPTER, **LORA).write(tmp_path / "adapter")) == []


@pytest.mark.parametrize(
    ("saved", "base", "expected"),
    [
        ({}, {"lm_head__weight": (3, 4)}, [("warning", "no output row")]),
        ({"base_model__lm_head__weight": (4, 4)}, {"lm_head__weight": (3, 4)}, []),
        ({}, {"lm_head__weight": (8, 4)}, []),
        ({}, {}, []),
    ],
    ids=["none saved", "saved", "reserved in the base", "one matrix"],
)
def test_a_token_with_a_row_at_the_input_alone_is_a_warning(
    tmp_path: Path, ask: Ask, saved: Any, base: Any, expected: list[tuple[str, str]]
) -> None:
    folder = ADDED.weights(ADAPTER, base_model__embed_tokens__weight=(4, 4), **saved)
    whole = BASE.weights(embed_tokens__weight=(3, 4), **base)
    assert said(ask, tmp_path, folder, whole) == expected
    tied = whole.config(tie_word_embeddings=True)
    assert said(ask, tmp_path / "tied", folder, tied) == []


def test_a_whole_layer_lower_than_the_base_s_is_an_error(tmp_path: Path, ask: Ask) -> None:
    saved = BASE.weights(ADAPTER, base_model__embed_tokens__weight=(3, 4), **LORA)
    assert said(ask, tmp_path, saved, with_rows(8)) == [("error", "fewer rows than the base")]


def test_a_whole_layer_as_high_as_the_base_s_is_no_finding(tmp_path: Path, ask: Ask) -> None:
    saved = BASE.weights(ADAPTER, base_model__embed_tokens__weight=(8, 4), **LORA)
    assert said(ask, tmp_path, saved, with_rows(8)) == []


@pytest.mark.parametrize(("rows", "expected"), [(1, [("error", "no row")]), (2, [])])
def test_rows_of_new_embeddings_follow_those_of_the_base(
    tmp_path: Path, ask: Ask, rows: int, expected: list[tuple[str, str]]
) -> None:
    new = {"input_embeddings": (rows, 4), "output_embeddings": (rows, 4)}
    folder = ADDED.added("<|other|>").weights(ADAPTER, **LORA)
    folder = folder.weights("new_embeddings.safetensors", **new)
    assert said(ask, tmp_path, folder, with_rows(3)) == expected


@pytest.mark.parametrize(
    ("indices", "expected"), [([2], [("warning", "other rows")]), ([2, 3], []), ([3], [])]
)
def test_rows_of_other_tokens_than_the_new_ones_are_a_warning(
    tmp_path: Path, ask: Ask, indices: list[int], expected: list[tuple[str, str]]
) -> None:
    delta = {"base_model__embed_tokens__token_adapter__trainable_tokens_delta": (len(indices), 4)}
    folder = ADDED.weights(ADAPTER, **LORA, **delta)
    folder = folder.settings("adapter_config.json", trainable_token_indices=indices)
    assert said(ask, tmp_path, folder, with_rows(8)) == expected
    padding = folder.tokenizer_config(pad_token="<|new|>")
    assert said(ask, tmp_path / "padding", padding, with_rows(8)) == []


def test_without_a_base_the_rows_saved_one_by_one_are_named(tmp_path: Path, ask: Ask) -> None:
    delta = {"base_model__embed_tokens__token_adapter__trainable_tokens_delta": (1, 4)}
    folder = ADDED.weights(ADAPTER, **LORA, **delta)
    folder = folder.settings("adapter_config.json", trainable_token_indices=[2])
    (found,) = ask(CHECK, folder.write(tmp_path / "adapter"))
    assert found.message.endswith("It saves the rows of 'ab' (id 2) alone.")
