"""A folder says how it was trained, and merges can be followed to the corpus that they are from."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sentencepiece
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import tokaudit
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit_reference.text.published_patterns import PATTERNS
from tokaudit_reference.training.bpe_on_files import train_bpe

pytestmark = pytest.mark.usefixtures("processes")
WORDS = [
    "low",
    "lower",
    "newest",
    "widest",
    "running",
    "runner",
    "faster",
    "fastest",
    "the",
    "of",
    "and",
    "token",
    "tokenizer",
]
SIZE = 300


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    """Two files of words in random order."""
    drawn = Random(1)
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for file in files:
        lines = (" ".join(drawn.choices(WORDS, k=12)) for _ in range(200))
        file.write_text("\n".join(lines) + "\n")
    return files


def by_tokenizers(corpus: list[Path], folder: Path, **settings: Any) -> Path:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        **{"vocab_size": SIZE, **settings},
    )
    tokenizer.train([str(file) for file in corpus], trainer)
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def by_rule(corpus: list[Path], folder: Path, rule: str) -> Path:
    tokaudit.train(corpus, folder, SIZE, tie_break=rule)
    return folder


def test_a_folder_trained_from_its_recipe_is_equal_byte_for_byte(
    corpus: list[Path], tmp_path: Path
) -> None:
    first, again = tmp_path / "first", tmp_path / "again"
    tokaudit.train(corpus, first, SIZE, special=["<|endoftext|>"], jobs=1)
    tokaudit.retrain(first, again)
    assert {file.name: file.read_bytes() for file in first.iterdir()} == {
        file.name: file.read_bytes() for file in again.iterdir()
    }


def test_a_recipe_names_settings_and_digests_and_no_time(
    corpus: list[Path], tmp_path: Path
) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE, tie_break="first_seen", jobs=2)
    recipe = json.loads((tmp_path / "made" / "training_recipe.json").read_text())
    assert recipe["predicateType"] == "https://tokaudit.dev/recipe/v1"
    predicate = recipe["predicate"]
    assert set(predicate) == {"trainer", "vocab_size", "entries", "settings", "corpus"}
    assert predicate["settings"]["tie_break"] == "first_seen"
    assert "jobs" not in predicate["settings"]
    assert [each["name"] for each in predicate["corpus"]] == [str(file) for file in corpus]


def test_a_corpus_that_changed_is_refused_by_its_digest(corpus: list[Path], tmp_path: Path) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE)
    corpus[1].write_text("another text\n")
    with pytest.raises(
        UnreadableError, match=r"b\.txt: has .* but the recipe expects .*b\.txt with"
    ):
        tokaudit.retrain(tmp_path / "made", tmp_path / "again")


def test_what_is_no_recipe_is_refused(tmp_path: Path) -> None:
    (tmp_path / "recipe.json").write_text("{}")
    with pytest.raises(UnreadableError, match="is not a recipe of tokaudit train"):
        tokaudit.retrain(tmp_path / "recipe.json", tmp_path / "again")


@pytest.mark.parametrize("rule", ["lowest_id", "lexicographic_max", "first_seen"])
def test_merges_by_each_rule_for_ties_are_recognised(
    corpus: list[Path], tmp_path: Path, rule: str
) -> None:
    found = tokaudit.reproduce(by_rule(corpus, tmp_path / "made", rule), corpus)
    assert found.ok and f"ties by {rule}" in found.best.way


def test_merges_by_the_trainer_of_tokenizers_are_recognised(
    corpus: list[Path], tmp_path: Path
) -> None:
    found = tokaudit.reproduce(by_tokenizers(corpus, tmp_path / "made"), corpus)
    assert found.ok and found.best.way == (
        "ties by lowest_id, bytes numbered as GPT-2 does, each file whole"
    )


def by_sentencepiece(corpus: list[Path], folder: Path, **settings: Any) -> Path:
    folder.mkdir()
    sentencepiece.SentencePieceTrainer.train(
        input=[str(file) for file in corpus],
        model_prefix=str(folder / "tokenizer"),
        model_type="bpe",
        vocab_size=60,
        minloglevel=2,
        **settings,
    )
    return folder


def test_pieces_by_the_trainer_of_sentencepiece_are_recognised(
    corpus: list[Path], tmp_path: Path
) -> None:
    found = tokaudit.reproduce(by_sentencepiece(corpus, tmp_path / "made"), corpus)
    assert found.ok and found.trainers == ("SentencePiece",)


def test_pieces_of_single_digits_are_recognised_by_that_setting(
    corpus: list[Path], tmp_path: Path
) -> None:
    corpus[0].write_text(corpus[0].read_text() + "in 1999 of 1999 and 1999\n" * 300)
    folder = by_sentencepiece(corpus, tmp_path / "made", split_digits=True)
    found = tokaudit.reproduce(folder, corpus)
    assert found.ok and "each digit alone" in found.best.way and found.plain.first is not None


def test_merges_of_characters_by_tokenizers_are_recognised(
    corpus: list[Path], tmp_path: Path
) -> None:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=60, special_tokens=["<unk>"], show_progress=False)
    tokenizer.train([str(file) for file in corpus], trainer)
    (tmp_path / "made").mkdir()
    tokenizer.save(str(tmp_path / "made" / "tokenizer.json"))
    found = tokaudit.reproduce(tmp_path / "made", corpus)
    assert found.ok and "tokenizers" in found.trainers


def test_a_limit_on_tokens_is_named_with_the_lines_that_the_text_came_in(
    corpus: list[Path], tmp_path: Path
) -> None:
    corpus[0].write_text(corpus[0].read_text().replace(" ", "\n\n  "))
    folder = by_tokenizers(corpus, tmp_path / "made", max_token_length=3)
    found = tokaudit.reproduce(folder, corpus)
    assert found.ok and "line by line, no token above" in found.best.way


def test_a_special_token_that_the_trainer_took_for_text_is_named(
    corpus: list[Path], tmp_path: Path
) -> None:
    corpus[0].write_text(corpus[0].read_text().replace("\n", "<|end|>" * 9 + "\n"))
    folder = by_tokenizers(corpus, tmp_path / "made", special_tokens=["<|end|>"])
    found = tokaudit.reproduce(folder, corpus)
    assert found.ok and "special tokens taken for text" in found.best.way


def test_an_end_by_the_least_frequency_shows_in_the_counts(
    corpus: list[Path], tmp_path: Path
) -> None:
    folder = by_tokenizers(corpus, tmp_path / "made", min_frequency=190)
    found = tokaudit.reproduce(folder, corpus)
    assert found.ok and found.best.after < 190 <= found.best.last


def test_trainers_that_no_tie_tells_apart_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("aab aab aab a ")
    tokaudit.train([tmp_path / "few.txt"], tmp_path / "made", 258)
    found = tokaudit.reproduce(tmp_path / "made", [tmp_path / "few.txt"])
    assert found.ok and len(found.trainers) > 1


def test_a_missing_file_shows_in_the_first_merge_with_both_counts(
    corpus: list[Path], tmp_path: Path
) -> None:
    folder = by_rule(corpus, tmp_path / "made", "lowest_id")
    found = tokaudit.reproduce(folder, corpus[:1])
    first = found.best.first
    assert not found.ok and first is not None
    assert first.number == found.best.agreed + 1
    assert first.given_count < first.learned_count


def test_a_file_too_many_is_named(corpus: list[Path], tmp_path: Path) -> None:
    folder = by_rule(corpus[:1], tmp_path / "made", "lowest_id")
    found = tokaudit.reproduce(folder, corpus)
    assert found.ok and f"without {corpus[1]}" in found.best.way


def test_another_pattern_is_named(corpus: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "made"
    corpus[0].write_text("in 1999 and 2024 and 1999 2024 1999 20 19 99 " * 50)
    tokaudit.train(corpus, folder, SIZE, pattern="gpt2")
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text())
    split = {"type": "Split", "pattern": {"Regex": PATTERNS["qwen2"][0]}, "invert": False}
    bytes_ = {**content["pre_tokenizer"], "use_regex": False}
    content["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [{**split, "behavior": "Isolated"}, bytes_],
    }
    file.write_text(json.dumps(content))
    found = tokaudit.reproduce(folder, corpus)
    assert found.plain.first is not None and "split by the pattern of gpt2" in found.best.way


def test_what_has_no_order_of_merges_is_refused(corpus: list[Path], tmp_path: Path) -> None:
    tokaudit.train(corpus, tmp_path / "made", 60, model="wordpiece")
    with pytest.raises(UnreadableError, match="is not a BPE tokenizer with ordered merges"):
        tokaudit.reproduce(tmp_path / "made", corpus)


def test_the_trainer_of_a_course_is_recognised_by_its_rule(
    corpus: list[Path], tmp_path: Path
) -> None:
    _, merges = train_bpe(corpus[0], SIZE, byte_order="raw")
    folder = by_rule(corpus[:1], tmp_path / "made", "lexicographic_max")
    found = tokaudit.reproduce(folder, corpus[:1])
    assert found.ok and found.merges == len(merges)


def test_a_recipe_takes_no_other_choice(tokaudit_in_fork, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("train", "--recipe", tmp_path, "--out", tmp_path / "o", "--pattern", "x")  # fmt: skip
    assert done.returncode == 2 and "leave out the other options" in done.stderr


def test_reproducing_without_a_corpus_is_wrong_usage(tokaudit_in_fork) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("train", "--reproduce", "somewhere")
    assert done.returncode == 2 and "name a CORPUS" in done.stderr


def test_an_unknown_version_of_a_recipe_is_refused(corpus: list[Path], tmp_path: Path) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE)
    file = tmp_path / "made" / "training_recipe.json"
    file.write_text(file.read_text().replace('"version": "0.1.0"', '"version": "9"'))
    with pytest.raises(UsageError, match="was written by tokaudit 9"):
        tokaudit.retrain(file, tmp_path / "again")
