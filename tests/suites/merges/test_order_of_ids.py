"""What shows that a few items of an ordered list were exchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from real_tokenizers import put

import tokaudit
from tokaudit_folders.folder import Folder
from tokaudit_suites.shared.ascending import few_exceptions, out_of_order


def test_exchanged_items_are_the_ones_outside_the_longest_run() -> None:
    values = list(range(100))
    values[20], values[70] = values[70], values[20]
    assert out_of_order(values) == [20, 70]


def test_an_ordered_list_has_no_exceptions() -> None:
    assert few_exceptions(range(50)) == []


def test_a_list_in_no_order_has_no_exceptions_to_name() -> None:
    assert few_exceptions([n * 37 % 101 for n in range(100)]) is None


def test_a_short_list_shows_no_order() -> None:
    assert few_exceptions([1, 3, 2]) is None


def test_equal_values_are_in_order() -> None:
    assert few_exceptions([1.0] * 30) == []


LETTERS = ["|", *"abcdefghijklmnopqrstuvwxyz", "[UNK]", "[PAD]"]


@pytest.mark.parametrize(("sort", "reported"), [(True, 0), (False, 1)])
def test_sorted_keys_say_nothing_of_the_order_of_ids(
    tmp_path: Path, sort: bool, reported: int
) -> None:
    ids = {text: id for id, text in enumerate(LETTERS)}
    listed = {text: ids[text] for text in ["b", *LETTERS]} | {"a": ids["a"]}  # b is listed first
    put(tmp_path / "vocab.json", json.dumps(listed, sort_keys=sort).encode())
    put(tmp_path / "tokenizer_config.json", {"tokenizer_class": "Wav2Vec2CTCTokenizer"})
    assert len(tokaudit.run_check("vocab/id-order", tmp_path).findings) == reported


@pytest.mark.parametrize(("last", "reported"), [("|", 0), ("k", 1)])
def test_a_mark_between_words_may_be_listed_last_with_the_id_of_the_space(
    tmp_path: Path, last: str, reported: int
) -> None:
    ids = {text: id for id, text in enumerate(LETTERS)}
    listed = {text: id for text, id in ids.items() if text != last} | {last: ids[last]}
    put(tmp_path / "vocab.json", json.dumps(listed).encode())
    put(tmp_path / "tokenizer_config.json", {"tokenizer_class": "Wav2Vec2CTCTokenizer"})
    assert len(tokaudit.run_check("vocab/id-order", tmp_path).findings) == reported


@pytest.mark.parametrize(("special", "reported"), [(True, 0), (False, 1)])
def test_a_merge_that_spells_out_a_special_token_is_in_no_order(
    tmp_path: Path, special: bool, reported: int
) -> None:
    words = [a + b for a in "abcdefgh" for b in "abcdefgh" if a != b]
    tokens = ["<s>", *"abcdefgh<s>", *words, "<s"]
    merges = [*([word[0], word[1]] for word in words[:40]), ["<", "s"], ["<s", ">"]]
    merges += [[word[0], word[1]] for word in words[40:]]
    vocab: dict[str, int] = {}
    for token in [*tokens[:12], *words[:40], "<s", *words[40:]]:
        vocab.setdefault(token, len(vocab))
    added = [{"id": 0, "content": "<s>", "special": special}]
    Folder.bpe(vocab, merges).changed(added_tokens=added).write(tmp_path)
    assert len(tokaudit.run_check("merges/order", tmp_path, tier="quick").findings) == reported
