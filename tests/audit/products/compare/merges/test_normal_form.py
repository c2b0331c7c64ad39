"""The normal form keeps what the order of merges decides, and nothing else of it."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from merge_tables import random_pairs, spec_of

from tokaudit.products.compare.proofs.merges.candidates import Merge
from tokaudit.products.compare.proofs.merges.firing import fires_by_definition, firing
from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.compare.proofs.merges.normal_form import blocks
from tokaudit.products.compare.proofs.merges.prove import compare_merges
from tokaudit.products.compare.proofs.merges.verdict import Differs, Proved


def rows(*pairs: tuple[str, str]) -> list[Merge]:
    return [Merge(rank, left, right, left + right) for rank, (left, right) in enumerate(pairs)]


def test_a_merge_is_in_a_new_block_when_its_side_of_the_piece_changes() -> None:
    table = rows(("a", "b"), ("d", "b"), ("b", "c"), ("e", "b"))
    assert list(blocks(table)) == [
        ("a", "b", 0, 0),
        ("d", "b", 0, 0),
        ("b", "c", 1, 0),
        ("e", "b", 0, 2),
    ]


def test_the_worked_example() -> None:
    """At b the sides are R L R, or R R L: other blocks, and a text that holds both orders."""
    one, other = (("a", "b"), ("b", "c"), ("d", "b")), (("a", "b"), ("d", "b"), ("b", "c"))
    assert list(blocks(rows(*one))) == [("a", "b", 0, 0), ("b", "c", 1, 0), ("d", "b", 0, 2)]
    assert list(blocks(rows(*other))) == [("a", "b", 0, 0), ("d", "b", 0, 0), ("b", "c", 1, 0)]
    verdict = compare_merges(spec_of(one, "abcd"), spec_of(other, "abcd"))
    assert isinstance(verdict, Differs)
    assert (verdict.witness.text, verdict.witness.first) == ("dbc", ("d", "bc"))
    assert verdict.witness.second == ("db", "c")
    swapped = (("d", "b"), ("a", "b"), ("b", "c"))  # both are R before the one L
    assert isinstance(compare_merges(spec_of(other, "abcd"), spec_of(swapped, "abcd")), Proved)


def test_a_merge_of_a_piece_with_itself_is_a_block_alone() -> None:
    table = rows(("a", "b"), ("b", "b"), ("c", "b"))
    assert list(blocks(table)) == [("a", "b", 0, 0), ("b", "b", 1, 1), ("c", "b", 0, 2)]


def test_the_digest_is_sha_256_over_the_sorted_rows_as_json() -> None:
    lines = b'[{"text":"a"},{"text":"b"},0,0]\n[{"text":"b"},{"text":"c"},1,0]\n'
    form = merge_model(spec_of((("a", "b"), ("b", "c")), "abc")).form
    assert form.name == "merges-canonical-v1"
    assert form.digest == "sha256:" + hashlib.sha256(lines).hexdigest()


def test_a_merge_that_cannot_fire_leaves_no_mark() -> None:
    plain = (("b", "c"), ("a", "bc"))
    extra = (*plain, ("a", "b"), ("ab", "c"))  # "ab" fires; then "abc" is "a" + "bc" already
    assert merge_model(spec_of(extra, "abc")).firing.merges == tuple(rows(*plain, ("a", "b")))


def test_a_part_learned_after_its_product_keeps_the_form_in_order_and_says_why() -> None:
    form = merge_model(spec_of((("ab", "a"), ("a", "b")))).form
    assert form.name == "merges-in-order-v1"
    assert form.not_canonical == (
        "the merge 'ab' + 'a' comes before one of its parts is learned, and fires"
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_walk_down_the_edges_finds_what_the_definition_finds(seed: int) -> None:
    random = Random(seed)
    for _ in range(250):
        pairs = list(dict.fromkeys(random_pairs(random, "abc")))
        if random.random() < 0.5:
            random.shuffle(pairs)
        table = rows(*pairs)
        assert set(firing(table).merges) == set(fires_by_definition(table)), pairs
