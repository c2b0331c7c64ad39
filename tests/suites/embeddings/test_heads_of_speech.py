"""Heads of models of speech, which have a row for each token of a vocabulary, and none to spare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.report.model import Finding
from tokaudit_folders.folder import Folder, safetensors

Ask = Callable[..., list[Any]]
ENGLISH = {"[PAD]": 0, "[UNK]": 1, "|": 2, "a": 3, "b": 4}
FRENCH = {**ENGLISH, "é": 5}
NAMES = {"pad_token": "[PAD]", "unk_token": "[UNK]", "word_delimiter_token": "|"}


def speech(vocabulary: dict[str, Any], rows: int, **settings: Any) -> Folder:
    folder = Folder().file("vocab.json", vocabulary)
    folder = folder.config(model_type="wav2vec2", architectures=["Wav2Vec2ForCTC"], vocab_size=rows)
    names = {"tokenizer_class": "Wav2Vec2CTCTokenizer", **NAMES, **settings}
    return folder.tokenizer_config(**names).weights(lm_head__weight=[rows, 2])


@pytest.mark.parametrize(("rows", "expected"), [(5, []), (8, ["scores"]), (4, ["short"])])
def test_a_head_of_speech_has_a_row_for_each_token(
    ask: Ask, tmp_path: Path, rows: int, expected: list[str]
) -> None:
    found = ask("embeddings/output-rows", speech(ENGLISH, rows).write(tmp_path))
    assert [each.cause for each in found] == expected


@pytest.mark.parametrize(("rows", "expected"), [(6, []), (5, ["language"]), (7, ["language"])])
def test_the_head_of_a_language_fits_the_vocabulary_of_that_language(
    ask: Ask, tmp_path: Path, rows: int, expected: list[str]
) -> None:
    folder = speech({"eng": ENGLISH, "fra": FRENCH}, 5, target_lang="eng")
    for language, height in (("eng", 5), ("fra", rows)):
        file = f"adapter.{language}.safetensors"
        folder = folder.file(file, safetensors({"lm_head.weight": [height, 2]}))
    path = folder.write(tmp_path)
    assert [each.cause for each in ask("embeddings/output-rows", path)] == expected
    assert ask("embeddings/shards", path) == []


@pytest.mark.parametrize(("added", "expected"), [("<unk>", []), ("<new>", ["short"])])
def test_an_unknown_token_that_its_class_never_writes_needs_no_row(
    ask: Ask, tmp_path: Path, added: str, expected: list[str]
) -> None:
    folder = (
        Folder().file("vocab.json", {"k": 0, "a": 1, "b": 2}).file("added_tokens.json", {added: 3})
    )
    folder = folder.tokenizer_config(tokenizer_class="VitsTokenizer", pad_token="k")
    folder = folder.config(model_type="vits", architectures=["VitsModel"], vocab_size=3)
    path = folder.weights(text_encoder__embed_tokens__weight=[3, 2]).write(tmp_path)
    found = ask("embeddings/rows", path)
    assert [each.cause for each in found if isinstance(each, Finding)] == expected
    assert bool(ask("embeddings/config-vocab-size", path)) is bool(expected)
