"""The checker accepts what is proved and refuses what is not, in its own way."""

from __future__ import annotations

from merge_tables import objection_to, spec_of

from tokaudit.products.compare.proofs.merges.check import unlike
from tokaudit.products.compare.proofs.merges.prove import compare_merges
from tokaudit.products.compare.proofs.merges.verdict import Proved


def test_a_proof_is_confirmed() -> None:
    one, other = (
        spec_of((("a", "b"), ("c", "d")), "abcd"),
        spec_of((("c", "d"), ("a", "b")), "abcd"),
    )
    verdict = compare_merges(one, other)
    assert isinstance(verdict, Proved)
    assert objection_to(verdict.certificate, one, other) == ""


def test_competing_merges_in_another_order_are_refused() -> None:
    one, other = spec_of((("a", "b"), ("b", "c")), "abc"), spec_of((("b", "c"), ("a", "b")), "abc")
    assert unlike(one, other) == "merges at 'b' do not come in the same order"


def test_a_merge_too_few_is_refused() -> None:
    one, other = spec_of((("a", "b"), ("b", "b"))), spec_of((("a", "b"),))
    assert unlike(one, other) == "the two do not keep the same merges"


def test_a_merge_that_never_fires_is_no_matter() -> None:
    dead = (("b", "c"), ("a", "bc"), ("ab", "c"))
    assert unlike(spec_of(dead, "abc"), spec_of(dead[:2], "abc")) == ""


def test_parts_made_too_late_are_refused() -> None:
    late = spec_of((("ab", "a"), ("a", "b")))
    assert unlike(late, late) == "'ab' + 'a' comes before a part of it is made"
