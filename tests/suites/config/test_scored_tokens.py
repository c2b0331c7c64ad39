"""Tokens of which vLLM makes the rows of a classifier are entries of the tokenizer, as it spells them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK, SOFTMAX = "config/tokens", "from_2_way_softmax"


def found(ask: Ask, folder: Path, tokens: Any, method: str) -> list[str]:
    made = Folder.bpe("nyes", ["y e", "ye s"]).added("</s>", "<|yes|>")
    made = made.tokenizer_config(tokenizer_class="PreTrainedTokenizerFast")
    made = made.config(vocab_size=8, classifier_from_token=tokens, method=method)
    return [each.message for each in ask(CHECK, made.write(folder))]


@pytest.mark.parametrize("tokens", [["n", "yes"], ["n", "<|yes|>"], [1, 2]])
def test_entries_and_added_tokens_are_taken(
    tmp_path: Path, ask: Ask, tokens: Sequence[Any]
) -> None:
    assert found(ask, tmp_path, tokens, SOFTMAX) == []


def test_a_word_of_several_tokens_is_an_error_that_names_the_engine(
    tmp_path: Path, ask: Ask
) -> None:
    [said] = found(ask, tmp_path, ["no", "yes"], SOFTMAX)
    assert "names 'no', which is no entry of the tokenizer" in said
    assert "vLLM takes the row of the unknown token" in said


def test_two_way_softmax_takes_two_tokens(tmp_path: Path, ask: Ask) -> None:
    [said] = found(ask, tmp_path, ["yes"], SOFTMAX)
    assert "has 1 token, and from_2_way_softmax takes two" in said


def test_one_token_is_enough_without_it(tmp_path: Path, ask: Ask) -> None:
    assert found(ask, tmp_path, ["yes"], "no_post_processing") == []
