"""The checker accepts what is proved and refuses what is not, in its own way."""

from __future__ import annotations

from merge_tables import spec_of

from tokaudit.comparison.proofs.merges import Certificate, Proved, compare_merges, recheck

ANY = Certificate("merges-canonical-v1", "", 0)


def test_a_proof_is_confirmed() -> None:
    one, other = (
        spec_of((("a", "b"), ("c", "d")), "abcd"),
        spec_of((("c", "d"), ("a", "b")), "abcd"),
    )
    verdict = compare_merges(one, other)
    assert isinstance(verdict, Proved)
    assert recheck(verdict.certificate, one, other) == ""


def test_competing_merges_in_another_order_are_refused() -> None:
    one, other = spec_of((("a", "b"), ("b", "c")), "abc"), spec_of((("b", "c"), ("a", "b")), "abc")
    assert recheck(ANY, one, other) == "merges at 'b' do not come in the same order"


def test_a_merge_too_few_is_refused() -> None:
    one, other = spec_of((("a", "b"), ("b", "b"))), spec_of((("a", "b"),))
    assert recheck(ANY, one, other) == "the two do not keep the same merges"


def test_a_merge_that_never_fires_is_no_matter() -> None:
    dead = (("b", "c"), ("a", "bc"), ("ab", "c"))
    assert recheck(ANY, spec_of(dead, "abc"), spec_of(dead[:2], "abc")) == ""


def test_parts_made_too_late_are_refused() -> None:
    late = spec_of((("ab", "a"), ("a", "b")))
    assert recheck(ANY, late, late) == "'ab' + 'a' comes before a part of it is made"
