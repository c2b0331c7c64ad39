"""A model with a part for text says twice whether its two matrices are one, and each version reads
another place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_folders.example_folders import safetensors
from tokaudit_folders.folder import Folder

HEAD, INPUT = "lm_head.weight", "model.language_model.embed_tokens.weight"
YES, NO = {"tie_word_embeddings": True}, {"tie_word_embeddings": False}


def written(folder: Path, kind: str, whole: Any, part: Any, *, head: bool) -> list[Finding]:
    """What is said of a model of pictures and text, with these statements."""
    text = {"vocab_size": 2, "hidden_size": 2, **part}
    named = {"model_type": kind, "architectures": ["PicturesForConditionalGeneration"]}
    rows = {INPUT: [[1.0, 2.0], [3.0, 4.0]]} | ({HEAD: [[5.0, 6.0], [7.0, 8.0]]} if head else {})
    made = Folder.bpe("ab").config(**named, text_config=text, **whole)
    made.file("model.safetensors", safetensors(rows)).write(folder)
    return list(tokaudit.run_check("embeddings/tied", folder).findings)


@pytest.mark.parametrize(
    ("kind", "whole", "part", "expected"),
    [
        ("qwen3_vl", YES, YES, []),
        ("qwen3_vl", {}, YES, [("warning", "no head")]),  # version 5 reads the whole alone
        ("qwen3_vl", YES, {}, [("warning", "no head")]),  # version 4 reads the part alone
        ("qwen3_vl", {}, {}, [("error", "no head")]),
        ("qwen2_5_vl", {}, YES, []),  # which version 5 takes from the part
        ("gemma3", {}, {}, []),  # tied by its class in both
        ("gemma3", NO, {}, [("warning", "no head")]),
        ("acorn", {}, YES, []),  # a type that nothing is known of, as the flag says
    ],
)
def test_a_model_without_a_head_is_tied_by_what_each_version_reads(
    tmp_path: Path, kind: str, whole: Any, part: Any, expected: list[tuple[str, str]]
) -> None:
    found = written(tmp_path, kind, whole, part, head=False)
    assert [(str(each.severity), each.cause) for each in found] == expected


@pytest.mark.parametrize(
    ("kind", "whole", "part", "expected"),
    [
        ("mistral3", NO, NO, []),
        ("mistral3", {}, NO, [("info", "dropped head")]),  # whose class ties in version 5
        ("gemma3", NO, {}, [("warning", "dropped head")]),  # in version 4
        ("qwen3_vl", {}, NO, []),
        ("mistral3", YES, NO, [("error", "both")]),
    ],
)
def test_a_head_of_other_values_is_dropped_by_who_ties(
    tmp_path: Path, kind: str, whole: Any, part: Any, expected: list[tuple[str, str]]
) -> None:
    found = written(tmp_path, kind, whole, part, head=True)
    assert [(str(each.severity), each.cause) for each in found] == expected


def test_a_head_that_one_engine_drops_is_a_warning_where_it_is_served(tmp_path: Path) -> None:
    written(tmp_path, "mistral3", {}, NO, head=True)
    (found,) = tokaudit.run_check("embeddings/tied", tmp_path, use="serving").findings
    assert str(found.severity) == "warning"


def test_the_sentence_says_which_version_reads_which_place(tmp_path: Path) -> None:
    (found,) = written(tmp_path, "qwen3_vl", {}, YES, head=False)
    four, five = VERSIONS
    assert found.message == (
        "The weights hold no output matrix, and config.json states nothing for "
        f"tie_word_embeddings and its text_config true: {five} builds that matrix with "
        f"random values; {four} uses the embedding as the output matrix."
    )


def test_the_repair_says_it_where_it_is_not_said(tmp_path: Path) -> None:
    (found,) = written(tmp_path, "gemma3", NO, {}, head=True)
    assert found.repair is not None
    assert [(c.pointer, c.wanted) for c in found.repair.changes] == [
        ("/text_config/tie_word_embeddings", False)
    ]
