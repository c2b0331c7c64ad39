"""Classes of characters mean to the reference and to the prover what they mean to the engines."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from tokaudit.products.compare.patterns.classes import atoms_of, partition
from tokaudit.products.compare.patterns.syntax import parse
from tokaudit.products.compare.patterns.tree import Dialect, Set, Take
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_conformance.class_engines import ENGINES, of_reference
from tokaudit_conformance.class_grammar import class_pattern
from tokaudit_conformance.class_operators import Classes, Difference
from tokaudit_reference.spec import Unsupported

SEED = 1
PATTERNS = 400  # of each dialect, for the reference
PROVED = 60  # and for the prover, which asks about every scalar
RANGES = [
    *(range(0x250), range(0x2B0, 0x530, 3), range(0x600, 0x700, 5), range(0x1E90, 0x1EC0)),
    *(range(0x1F80, 0x2070), range(0x2100, 0x2190), range(0x3000, 0x30C0, 7)),
    *(range(0xFB00, 0xFB07), range(0x10400, 0x10450, 5), range(0x13A0, 0x13A8)),
]
ALONE = [0x378, 0x1C80, 0x6F22, 0xAB70, 0xE000, 0x1D7CE, 0x1F600, 0x20000, 0x10FFFF]
TEXT = "".join(map(chr, sorted({*ALONE, *(code for codes in RANGES for code in codes)})))
every_dialect = pytest.mark.parametrize("dialect", ENGINES)


@cache
def classes_of(dialect: str) -> Classes:
    return Classes(dialect, TEXT)


def difference(dialect: str, pattern: str) -> Difference | None:
    return classes_of(dialect).difference(pattern)


@every_dialect
def test_the_reference_matches_what_the_engine_matches(dialect: str) -> None:
    dice = Random(f"{dialect} {SEED}")
    print(f"seed {SEED}")
    found = [difference(dialect, class_pattern(dice, dialect)) for _ in range(PATTERNS)]
    assert [each for each in found if each is not None and not each.explained] == []


@every_dialect
def test_the_prover_reads_what_the_reference_reads(dialect: str) -> None:
    dice, compared = Random(f"prover {dialect} {SEED}"), 0
    print(f"seed {SEED}")
    for _ in range(PROVED):
        pattern = class_pattern(dice, dialect)
        expected = of_reference(pattern, TEXT, dialect)
        found = read_by_the_prover(pattern, Dialect(dialect))
        if isinstance(expected, str) and found is not None:
            assert found == expected, pattern
            compared += 1
    assert compared > PROVED // 4


def read_by_the_prover(pattern: str, dialect: Dialect) -> str | None:
    try:
        tree = parse(pattern, dialect)
        assert isinstance(tree, Take)
        return members(tree.set)
    except Undecidable:
        return None


def members(found: Set) -> str:
    classes = partition(frozenset(atoms_of(found)))
    within = classes.within(found)
    return "".join(character for character in TEXT if classes.of(character) in within)


@pytest.mark.parametrize(
    ("pattern", "matched"),
    [
        ("[a-d&&b-z]", "bcd"),
        ("[a-d--b]", "acd"),
        ("[a-c~~b-d]", "ad"),
        ("[a-d&&[^b]--c]", "ad"),
        ("[^a&&b]", "abcd"),
        ("[a&&]", ""),
        ("[&&a]", ""),
        ("[a~~]", "a"),
        ("[a[bc]--b]", "ac"),
        ("(?i:[A-C&&b])", "b"),
        ("(?i:[^A-C])", "d"),
        ("[[:alpha:]&&[^[:^alpha:]a]]", "bcd"),
        (r"[\w--[b-c]]", "ad"),
        (r"[\x61-\u{62}]", "ab"),
    ],
)
def test_operators_are_read_from_the_left_as_rust_reads_them(pattern: str, matched: str) -> None:
    assert difference("rust", pattern) is None
    assert of_reference(pattern, "abcd", "rust") == matched
    tree = parse(pattern, Dialect.RUST)
    assert isinstance(tree, Take)
    assert "".join(each for each in members(tree.set) if each in "abcd") == matched


@pytest.mark.parametrize(
    ("dialect", "pattern"),
    [
        ("rust", "(?i:k)"),
        ("rust", "(?i:i)"),
        ("rust", r"(?i:\P{Lu})"),
        ("rust", "(?i:ß)"),
        ("rust", "[[:^lower:]]"),
        ("rust", r"\p{scx=Greek}"),
        ("oniguruma", r"[^\w\D]"),
        ("oniguruma", "(?i:[0-Z])"),
        ("oniguruma", r"\p{Punct}"),
        ("oniguruma", r"[[:punct:]]"),
    ],
)
def test_a_class_that_regex_reads_in_its_own_way(dialect: str, pattern: str) -> None:
    found = difference(dialect, pattern)
    assert found is None or found.explained


@pytest.mark.parametrize(
    ("dialect", "pattern"),
    [
        *(("rust", each) for each in ("[]", "[^]", "[b-a]", r"[a-\d]", r"\p{InGreek}", r"[\q]")),
        *(("rust", each) for each in ("a**", "(?=a)*", r"\p{Nothing}", r"\X", r"\x{d800}")),
        *(("oniguruma", each) for each in ("[]", "[b-a]", r"\p{sc=Han}", "a)", "*")),
    ],
)
def test_what_an_engine_refuses_is_refused(dialect: str, pattern: str) -> None:
    assert ENGINES[dialect][1](pattern, TEXT) is None
    assert not isinstance(of_reference(pattern, TEXT, dialect), str)


@pytest.mark.parametrize(
    ("dialect", "pattern", "reason"),
    [
        ("rust", "[a[]b]]", "a ] that begins a set inside a set in a pattern"),
        ("rust", "(?x: a)", "the group (?x: in a pattern"),
        ("rust", "((?i)a)b", "(?i) in a group, or without a flag, in a pattern"),
        ("rust", "a{2}{3}", "a repeat of a repeat in a pattern"),
        ("rust", r"\p{wb=Extend}", r"the property \p{wb=Extend} in a pattern"),
        ("oniguruma", r"\pN", r"the property \pN in a pattern"),
        ("oniguruma", r"[^a[^\p{Any}[:^digit:]]]", "the property Any inside a set in a pattern"),
        ("oniguruma", r"\p{Word}", r"the property \p{Word} in a pattern"),
    ],
)
def test_what_is_not_followed_is_refused_with_the_reason(
    dialect: str, pattern: str, reason: str
) -> None:
    found = of_reference(pattern, TEXT, dialect)
    assert isinstance(found, Unsupported)
    assert str(found) == reason


def test_where_a_difference_is_made_on_purpose_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    classes = classes_of("rust")
    monkeypatch.setattr(classes, "engine", lambda pattern, text: text[:3])
    assert classes.difference("[a-d&&b]") == Difference(
        "[a-d&&b]",
        "3 of U+0000 U+0001 U+0002 U+0062",
        "1 of U+0000 U+0001 U+0002 U+0062",
        False,
    )
