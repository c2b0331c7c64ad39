"""The dialect of llama.cpp is the engine's: the splits that most models use, by every text drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from llama_cpp_extra import runs_llama_cpp

from tokaudit_llama.compare import FEW, compare
from tokaudit_llama.splits import named_splits
from tokaudit_llama.vocabularies import vocabularies

pytestmark = [runs_llama_cpp, pytest.mark.runtimes]
COMMON = {"gpt-2", "llama-bpe", "qwen2", "deepseek-v3", "tekken", "gpt-4o", "tiny_aya", "default"}


def test_common_splits_cut_as_the_engine_does(tmp_path: Path) -> None:
    chosen = (v for v in named_splits(tmp_path) if v.name.removeprefix("pairs, ") in COMMON)
    rows = [compare(vocabulary, FEW, seed=1) for vocabulary in chosen]
    assert len(rows) == len(COMMON)
    assert [row.examples for row in rows if row.wrong] == []


def test_published_vocabularies_give_the_engine_s_ids_and_texts(
    material: Path, tmp_path: Path
) -> None:
    kinds = {}
    for vocabulary in vocabularies(material, tmp_path):
        if vocabulary.kind not in kinds:
            kinds[vocabulary.kind] = compare(vocabulary, FEW, seed=1)
    assert len(kinds) >= 9
    assert [row.examples for row in kinds.values() if row.wrong] == []
