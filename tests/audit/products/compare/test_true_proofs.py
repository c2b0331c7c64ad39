"""True proofs that a checker once refused hold, and what is near them and false is refused."""

from __future__ import annotations

from dataclasses import replace

from differing_sides import normal, replaced, spec, split

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.facets.splits import pre_tokenizer
from tokaudit.products.compare.facets.vocabulary import ids
from tokaudit.products.compare.proofs.acts_alike.prove import tokens_act_alike
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Certificate, Comparison, Facet, Outcome, Proof, Relation
from tokaudit_reference.spec import AddedToken, Piece, TokenizerSpec, TokenType

WORDS = ("a", "b", "ab", "Z")


def sides(*specs: TokenizerSpec) -> tuple[Side, Side]:
    first, second = specs
    return Side("a", first), Side("b", second)


def said(facet: Facet, both: tuple[Side, Side]) -> str:
    """What the checker says of a facet with its certificate."""
    found = certified(facet, *both)
    assert found.certificate is not None
    return objection(*both, found, Comparison("a", "b", 0, 0, Relation.SAME, facets=(found,)))


def after(*steps: dict[str, object], cut: str = "") -> TokenizerSpec:
    literal = {**split(""), "pattern": {"String": cut}}
    stages = {"normalizer": normal(*steps), "pre_tokenizer": literal if cut else None}
    return spec("a", "1", stages=stages)


def test_a_split_is_idle_at_what_was_replaced_before_something_is_prepended() -> None:
    steps = replaced("#", "1"), {"type": "Prepend", "prepend": "c"}
    both = sides(after(*steps), after(*steps, cut="#"))
    found = pre_tokenizer(*both, Trial(*both, []), False)
    assert isinstance(found, Facet) and found.certificate == Certificate(Proof.ACTS_ALIKE)
    assert said(found, both) == ""


def test_a_split_at_what_is_prepended_is_not_idle() -> None:
    steps = replaced("#", "1"), {"type": "Prepend", "prepend": "#"}
    both = sides(after(*steps), after(*steps, cut="#"))
    claimed = Facet(
        "pre-tokenizer", Outcome.EQUIVALENT, "", certificate=Certificate(Proof.ACTS_ALIKE)
    )
    assert said(claimed, both) == "the steps do not act alike"


def test_an_entry_that_one_side_looks_for_is_left_out_of_the_ids_of_both() -> None:
    plain = spec(*WORDS)
    added = replace(plain, added_tokens=(AddedToken(2, "ab"),))
    for both in (sides(plain, added), sides(added, plain)):
        found = ids(*both, Trial(*both, ()).entries)
        assert isinstance(found, Facet) and found.outcome is Outcome.IDENTICAL
        assert said(found, both) == ""


def test_so_it_is_where_entries_are_compared_as_they_are_written() -> None:
    plain = spec("a", "b", "\u0120")
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate((b"a", b"b", b" "))}
    added = (AddedToken(1, "b"),)
    in_bytes = replace(plain, pieces=pieces, byte_level=True, added_tokens=added)
    both = sides(plain, in_bytes)
    found = ids(*both, Trial(*both, ()).entries)
    assert isinstance(found, Facet) and found.certificate is not None
    assert found.certificate.form == "as written" and said(found, both) == ""


def test_an_entry_that_one_side_looks_for_and_the_other_has_otherwise_is_not() -> None:
    added = (AddedToken(2, "ab"),)
    both = sides(spec(*WORDS, added_tokens=added), spec("a", "b", "xy", "Z"))
    claimed = Facet("ids", Outcome.IDENTICAL, "", certificate=Certificate(Proof.EQUAL))
    assert said(claimed, both) == "the two sides do not state the same"


def test_a_token_that_is_listed_twice_is_looked_for_as_one_that_is_listed_once() -> None:
    once, looked_for_later = AddedToken(1, "b"), AddedToken(1, "b", normalized=True)
    both = sides(
        spec(*WORDS, added_tokens=(once,)), spec(*WORDS, added_tokens=(looked_for_later,) * 2)
    )
    found = Facet("added tokens", Outcome.EQUIVALENT, "", certificate=Certificate(Proof.ACTS_ALIKE))
    assert tokens_act_alike(both[0].spec, both[1].spec) == found.certificate
    assert said(found, both) == ""


def test_a_token_that_is_listed_twice_at_two_ids_is_not() -> None:
    twice = (AddedToken(1, "b"), AddedToken(3, "b"))
    both = sides(spec(*WORDS, added_tokens=twice[1:]), spec(*WORDS, added_tokens=twice))
    found = Facet("added tokens", Outcome.EQUIVALENT, "", certificate=Certificate(Proof.ACTS_ALIKE))
    assert said(found, both) == "the added tokens do not act alike"
