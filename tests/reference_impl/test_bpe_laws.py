"""The fast way of merging gives what the textbook gives."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokaudit_reference
from tokaudit_reference.bpe import merge_fast, merge_textbook

symbols = st.lists(st.integers(0, 3), max_size=40)
pairs = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8)), unique=True, min_size=1, max_size=12
)


@given(symbols, pairs)
def test_linked_list_and_textbook_agree(word: list[int], merges: list[tuple[int, int]]) -> None:
    table = {pair: (rank, 4 + rank) for rank, pair in enumerate(merges)}
    assert merge_fast(word, table) == merge_textbook(word, table)


@given(symbols, st.integers(0, 3), st.integers(0, 3))
def test_no_pair_of_the_table_is_left(word: list[int], left: int, right: int) -> None:
    merged = merge_textbook(word, {(left, right): (0, 9)})
    assert (left, right) not in pairwise(merged)


MODULES = [
    m.name for m in pkgutil.walk_packages(tokaudit_reference.__path__, "tokaudit_reference.")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
