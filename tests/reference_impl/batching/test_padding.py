"""Padding changes the length of rows and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokaudit_reference.batching.padding import (
    PaddingSide,
    labels_by_id,
    labels_by_mask,
    padded,
    padded_length,
    truncated,
    unpadded,
)

rows = st.lists(st.lists(st.integers(0, 9), max_size=9), max_size=5)
sides = st.sampled_from(PaddingSide)
law = settings(deadline=None, derandomize=True, database=None)


@law
@given(rows, sides, st.integers(1, 8), st.integers(0, 9))
def test_padding_and_taking_the_mask_gives_the_ids_back(
    given_rows: list[list[int]], side: PaddingSide, multiple: int, pad_id: int
) -> None:
    batch = padded(given_rows, pad_id, side=side, multiple_of=multiple)
    back = [unpadded(i, m) for i, m in zip(batch.ids, batch.attention_mask, strict=True)]
    assert back == given_rows


@law
@given(rows, sides, st.integers(1, 8))
def test_all_rows_are_as_long_as_the_longest_rounded_up(
    given_rows: list[list[int]], side: PaddingSide, multiple: int
) -> None:
    batch = padded(given_rows, 0, side=side, multiple_of=multiple)
    longest = max(map(len, given_rows), default=0)
    widths = {len(row) for row in batch.ids}
    assert all(w % multiple == 0 and longest <= w < longest + multiple for w in widths)
    assert {len(row) for row in (*batch.attention_mask, *batch.position_ids)} == widths


@law
@given(rows, sides)
def test_labels_are_minus_100_exactly_where_the_mask_is_0(
    given_rows: list[list[int]], side: PaddingSide
) -> None:
    batch = padded(given_rows, 3, side=side, labels=given_rows)
    assert batch.labels is not None
    for labels, mask in zip(batch.labels, batch.attention_mask, strict=True):
        assert [int(label != -100) for label in labels] == mask


@law
@given(rows, sides)
def test_the_real_tokens_count_from_0_on_either_side(
    given_rows: list[list[int]], side: PaddingSide
) -> None:
    batch = padded(given_rows, 0, side=side)
    for row, places, mask in zip(given_rows, batch.position_ids, batch.attention_mask, strict=True):
        assert unpadded(places, mask) == list(range(len(row)))
        assert all(place == 0 for place, real in zip(places, mask, strict=True) if not real)


@law
@given(st.lists(st.integers()), st.integers(0, 12))
def test_the_two_truncations_keep_the_two_ends(ids: list[int], length: int) -> None:
    left, right = (
        truncated(ids, length, PaddingSide.LEFT),
        truncated(ids, length, PaddingSide.RIGHT),
    )
    assert len(left) == len(right) == min(length, len(ids))
    assert left == ids[len(ids) - len(left) :]
    assert right == ids[: len(right)]


def test_a_length_may_be_stated_and_is_rounded_up() -> None:
    batch = padded([[1, 2]], 9, length=5, multiple_of=4)
    assert batch.ids == [[1, 2, 9, 9, 9, 9, 9, 9]]
    assert batch.labels is None


def test_a_pad_token_in_the_text_stays_real() -> None:
    batch = padded([[9, 1, 9], [9]], 9, side=PaddingSide.LEFT)
    assert batch.attention_mask == [[1, 1, 1], [0, 0, 1]]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: padded([[1, 2, 3]], 0, length=2), "row 0 has 3 ids, more than 2: truncate"),
        (lambda: padded([[1]], 0, labels=[[1, 2]]), "each id exactly one label"),
        (lambda: padded([[1]], 0, side="middle"), "middle"),  # type: ignore[arg-type]
        (lambda: padded_length([1], multiple_of=0), "multiple_of is 0"),
        (lambda: truncated([1], -1), "length is -1"),
    ],
)
def test_what_cannot_be_padded_is_refused(make, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=says):
        make()


@law
@given(rows, sides)
def test_labels_by_mask_are_the_labels_that_padding_gives(
    given_rows: list[list[int]], side: PaddingSide
) -> None:
    batch = padded(given_rows, 3, side=side, labels=given_rows)
    pairs = zip(batch.ids, batch.attention_mask, strict=True)
    assert [labels_by_mask(ids, mask) for ids, mask in pairs] == batch.labels


def test_labels_by_id_lose_the_end_of_text_where_it_is_also_the_pad_token() -> None:
    (ids,), (mask,) = (batch := padded([[7, 2]], pad_id=2, length=4)).ids, batch.attention_mask
    assert labels_by_id(ids, 2) == [7, -100, -100, -100]
    assert labels_by_mask(ids, mask) == [7, 2, -100, -100]
