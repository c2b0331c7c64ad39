"""The prover is right about published patterns and their mutants, by trying every short text."""

from __future__ import annotations

import warnings
from collections import Counter
from itertools import combinations

import pytest
from split_mutants import mutants
from split_oracle import wrong
from split_sources import published

from tokaudit.products.compare.patterns.splits import PreTokenizer
from tokaudit.products.compare.patterns.verdicts import NotDecided
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.products.compare.proofs.cuts.states import objection_to

Pair = tuple[str, PreTokenizer, PreTokenizer]
EVERY = 10**9


def pairs() -> list[Pair]:
    found = published()
    return [(f"{a} and {b}", found[a], found[b]) for a, b in combinations(found, 2)]


def judge(todo: list[Pair], texts: int, at_random: int) -> Counter[str]:
    """The verdicts by kind, and the reasons of those not decided; fails where one is wrong."""
    said: Counter[str] = Counter()
    for name, left, right in todo:
        verdict = compare(left, right)
        said[type(verdict).__name__] += 1
        if isinstance(verdict, NotDecided):
            said[verdict.reason] += 1
        else:
            assert wrong(left, right, verdict, texts, at_random) is None, name
            assert objection_to(left, right, verdict) is None, name
    return said


def test_of_published_patterns_each_is_decided_against_some_others() -> None:
    assert judge(pairs()[::8], 1_000, 100)["NotDecided"] == 0


def test_of_twenty_four_mutants_at_most_one_is_not_decided() -> None:
    with warnings.catch_warnings(action="ignore"):  # of `regex`, about sets inside sets
        said = judge(mutants(published(), 24, seed=5), 1_000, 100)
    assert said["NotDecided"] <= 1, said
    assert said["Proved"] >= 4
    assert said["Differs"] >= 12


@pytest.mark.published
def test_every_published_pattern_is_decided_against_every_other() -> None:
    assert judge(pairs(), EVERY, 2_000)["NotDecided"] == 0


@pytest.mark.published
def test_of_three_hundred_mutants_at_most_one_in_twenty_is_not_decided() -> None:
    with warnings.catch_warnings(action="ignore"):
        said = judge(mutants(published(), 300, seed=1), EVERY, 2_000)
    print(said)
    assert said["NotDecided"] <= 15, said
