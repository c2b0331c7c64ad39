"""No proof rests on a class that only a newer version of Unicode gives to a character."""

from __future__ import annotations

import random

import pytest
import regex
from differing_sides import spec, split

from tokaudit.products.compare.patterns.classes import asked, every_scalar
from tokaudit.products.compare.patterns.splits import Split
from tokaudit.products.compare.patterns.tree import Atom, Dialect
from tokaudit.products.compare.patterns.verdicts import Differs, Proved
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.proofs.cuts.check import objection
from tokaudit.products.compare.proofs.cuts.cutting import cutters
from tokaudit.products.compare.proofs.cuts.own_unicode import doubtful
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.report.comparison import Certificate, Proof
from tokaudit_reference.text.unicode_tables import as_known, delta

NEWER = [
    (r"\p{L}+|\P{L}+", r"[\p{L}\x{a7ce}]+|[^\p{L}\x{a7ce}]+"),
    (r"\p{N}+|\P{N}+", r"[\p{N}\x{11de0}]+|[^\p{N}\x{11de0}]+"),
    (r"\p{M}+|\P{M}+", r"[\p{M}\x{1acf}]+|[^\p{M}\x{1acf}]+"),
    (r"\p{S}+|\P{S}+", r"[\p{S}\x{20c1}]+|[^\p{S}\x{20c1}]+"),
    (r"[^\s\p{L}\p{N}]+|\s", r"[^\s\p{L}\p{N}\x{20000}-\x{40000}]+|\s"),
    (r"\p{Lo}+|\P{Lo}+", r"[\p{Lo}\x{295}]+|[^\p{Lo}\x{295}]+"),
]
"""Patterns that are the same if the characters of newer versions are of these classes."""
TRUE = [
    (r"\p{L}+|\P{L}+", r"[\p{L}]+|[^\p{L}]+"),
    (r"\p{Ll}+|\P{Ll}+", r"[\p{Ll}\x{295}]+|[^\p{Ll}\x{295}]+"),
]


def verdict(one: str, other: str, rust: bool) -> object:
    dialect = Dialect.RUST if rust else Dialect.ONIGURUMA
    return compare((Split(one, dialect),), (Split(other, dialect),))


def said(one: str, other: str, rust: bool) -> str:
    """What the checker says of a proof that two patterns cut alike."""
    first, second = (
        spec("a", stages={"pre_tokenizer": {**split(each), **({"rust": True} if rust else {})}})
        for each in (one, other)
    )
    classes = cutters(first, second).characters
    return objection(
        Claim("pre-tokenizer", Certificate(Proof.CUTS, classes=classes), first, second)
    )


@pytest.mark.parametrize("rust", [False, True])
@pytest.mark.parametrize(("one", "other"), NEWER)
def test_what_only_a_newer_version_makes_the_same_is_refused(
    one: str, other: str, rust: bool
) -> None:
    assert isinstance(verdict(one, other, rust), Differs)
    assert "is cut differently" in said(one, other, rust)


@pytest.mark.parametrize("rust", [False, True])
@pytest.mark.parametrize(("one", "other"), TRUE)
def test_what_the_libraries_version_makes_the_same_is_proved(
    one: str, other: str, rust: bool
) -> None:
    assert isinstance(verdict(one, other, rust), Proved)
    assert said(one, other, rust) == ""


@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_character_of_a_newer_class_is_told_apart_by_prover_and_checker(seed: int) -> None:
    drawn = random.Random(seed)
    character = drawn.choice(sorted(delta()))
    names = [n for n in ("L", "M", "N", "P", "S", "So", "Lo") if _has(n, character)]
    if not names:
        pytest.skip("the drawn character is of no such class")
    code = f"\\x{{{ord(character):x}}}"
    name = drawn.choice(names)
    one = rf"\p{{{name}}}+|\P{{{name}}}+"
    other = rf"[\p{{{name}}}{code}]+|[^\p{{{name}}}{code}]+"
    wrong = (ord(character) in _codes(name)) is not _has(name, character)
    assert isinstance(verdict(one, other, False), Differs if wrong else Proved)
    assert (said(one, other, False) != "") is wrong


def _has(name: str, character: str) -> bool:
    return regex.match(rf"\p{{{name}}}", character) is not None


def _codes(name: str) -> set[int]:
    spans = regex.finditer(as_known(rf"\p{{{name}}}") + "+", every_scalar())
    return {ord(character) for span in spans for character in span.group()}


def test_the_checker_doubts_the_same_characters_as_the_engine() -> None:
    assert doubtful().keys() == delta().keys()


def test_an_atom_begins_and_ends_where_the_class_of_the_libraries_does() -> None:
    edges = asked(Atom(r"\p{Ll}", False, Dialect.ONIGURUMA))
    gap = range(0xD800, 0xE000)
    codes = [each if each < gap.start else each + len(gap) for each in edges]
    found = [range(a, b) for a, b in zip(codes[::2], codes[1::2], strict=True)]
    assert {code for each in found for code in each} == _codes("Ll")
