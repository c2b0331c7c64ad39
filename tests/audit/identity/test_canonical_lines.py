"""Many rows written at once are the same bytes as each row written by itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokaudit.identity.hashes import canonical_lines

ANY_TEXT = st.text(st.characters())  # lone surrogates and control characters too
ATOMS = st.none() | st.booleans() | st.integers() | ANY_TEXT
ROWS = st.lists(
    st.recursive(
        ATOMS, lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner), max_leaves=8
    )
)


def written_one_by_one(rows: list[Any]) -> bytes:
    texts = [
        json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
        for row in rows
    ]
    return "".join(texts).encode("utf-8", "surrogatepass")


@settings(deadline=None)
@given(ROWS)
def test_rows_written_at_once_are_the_bytes_of_rows_written_one_by_one(rows: list[Any]) -> None:
    assert canonical_lines(rows) == written_one_by_one(rows)


@pytest.mark.parametrize(
    "text",
    ["\x00\x1f\x7f", '"\\/', "\u2028", "\ud800", "\udc80\udcff", "\U0001f600", "\ud83d\ude00"],
)
def test_characters_that_writers_escape_in_several_ways_are_written_in_one(text: str) -> None:
    assert canonical_lines([{text: text}]) == written_one_by_one([{text: text}])


def test_a_number_beyond_64_bits_keeps_its_digits() -> None:
    assert canonical_lines([[2**70, -(2**63), 2**64 - 1]]) == (
        b"[1180591620717411303424,-9223372036854775808,18446744073709551615]\n"
    )
