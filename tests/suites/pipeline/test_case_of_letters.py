"""Text comes to the vocabulary in the case of its entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder, written

Ask = Callable[..., list[Any]]
SPECIAL = ["<pad>", "<unk>", "|"]
WORDS = [f"{first}{second}" for first in ascii_lowercase for second in "aeiou"]


def speech(path: Path, letters: Sequence[str], lower: bool) -> Path:
    vocab = {text: id for id, text in enumerate([*SPECIAL, *letters])}
    (path / "vocab.json").write_bytes(written(vocab))
    settings = {"tokenizer_class": "Wav2Vec2CTCTokenizer", "do_lower_case": lower}
    (path / "tokenizer_config.json").write_bytes(written(settings))
    return path


def test_a_speech_class_that_makes_capitals_of_small_letters_is_an_error(
    tmp_path: Path, ask: Ask
) -> None:
    (found,) = ask("pipeline/rewritten", speech(tmp_path, ascii_lowercase, lower=True))
    assert (found.severity, found.cause) == ("error", "capitals")


@pytest.mark.parametrize(
    ("letters", "lower"),
    [
        (ascii_lowercase, False),
        (ascii_uppercase, False),
        (ascii_uppercase, True),
        (ascii_lowercase + ascii_uppercase, True),
    ],
)
def test_a_speech_vocabulary_in_the_case_that_comes_is_fine(
    tmp_path: Path, ask: Ask, letters: str, lower: bool
) -> None:
    with pytest.raises(NotApplicable):
        ask("pipeline/rewritten", speech(tmp_path, letters, lower))


def bert(words: Sequence[str], lowercase: bool) -> Folder:
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": lowercase,
    }
    return Folder.wordpiece(["[UNK]", *words]).changed(normalizer=normalizer)


def test_capitals_that_a_wordpiece_of_small_letters_lacks_are_an_error(
    tmp_path: Path, ask: Ask
) -> None:
    folder = bert([*ascii_lowercase, *WORDS], lowercase=False)
    (found,) = ask("pipeline/lost-normalizer", folder.write(tmp_path))
    assert (found.severity, found.cause) == ("error", "capitals")


@pytest.mark.parametrize(
    ("words", "lowercase"),
    [([*ascii_lowercase, *WORDS], True), ([*ascii_lowercase, "A", *WORDS], False)],
)
def test_a_wordpiece_that_gets_small_letters_or_has_a_capital_is_fine(
    tmp_path: Path, ask: Ask, words: list[str], lowercase: bool
) -> None:
    folder = bert(words, lowercase).write(tmp_path)
    try:
        assert ask("pipeline/lost-normalizer", folder) == []
    except NotApplicable:
        assert not lowercase
