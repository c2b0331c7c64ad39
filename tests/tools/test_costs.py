"""A file of n bytes costs at most c·n + k bytes of memory, whichever of its fields holds them."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from tokaudit.subject.formats import all_formats
from tokaudit_costs.grown import Growth, of_each_format
from tokaudit_costs.measuring import FLOOR, PER_BYTE, growth_of_cost, traced
from tokaudit_fuzz.targets import compute, parse, refused

FIELDS = tuple(of_each_format())
DRAWN = random.Random(2).sample(FIELDS, 12)
SIZES = 20_000, 80_000


def name(growth: Growth) -> str:
    return f"{growth.format} {growth.field}"


def test_fields_of_every_format_grow() -> None:
    assert {each.format for each in FIELDS} > {format.name for format in all_formats()}


@pytest.mark.parametrize("growth", FIELDS, ids=name)
def test_a_grown_file_is_as_long_as_was_asked(growth: Growth) -> None:
    data = growth.of(10_000)[growth.name]
    assert 2_000 < len(data) < 30_000


@pytest.mark.parametrize("growth", DRAWN, ids=name)
def test_reading_costs_at_most_so_much_for_each_byte(growth: Growth) -> None:
    assert growth_of_cost(partial(refused, parse), growth, SIZES) < PER_BYTE


@pytest.mark.parametrize("growth", DRAWN[:2], ids=name)
def test_an_audit_costs_at_most_so_much_for_each_byte(growth: Growth) -> None:
    assert traced(partial(refused, compute), growth.of(SIZES[0])) < FLOOR + PER_BYTE * SIZES[0]


@pytest.mark.parametrize(
    "field",
    [
        "tokenizer.json /model/merges/0 long",
        "tokenizer.json /model/type long",
        "small.json /bpe_ranks long",
    ],
)
def test_a_long_text_is_neither_cut_in_parts_nor_quoted_whole(field: str) -> None:
    growth = next(each for each in FIELDS if each.field == field)
    assert growth_of_cost(partial(refused, parse), growth, (200_000, 6_000_000)) < 12


def test_what_keeps_every_beginning_of_a_file_breaks_the_law() -> None:
    growth = next(each for each in FIELDS if each.field.endswith(" long"))

    def beginnings(folder: Path) -> int:
        text = (folder / growth.name).read_text("utf-8", "replace")
        return len([text[:end] for end in range(0, len(text), 16)])

    assert growth_of_cost(beginnings, growth, SIZES) > PER_BYTE
