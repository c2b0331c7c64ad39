"""Forged certificates are those that a faulty prover would write, and a sound checker takes none."""

from __future__ import annotations

import pytest
from alike_sides import FREE_ORDER, NOTHING_ACROSS, SAME_BYTES, SAME_CUTS, SHUFFLED, Sides
from differing_sides import ADDED, AROUND, CROSSED, CUTS, JOINED, SWAPPED, WORDS

from tokaudit.engine.facet_names import IDS, MERGES
from tokaudit.engine.sides.side import Side
from tokaudit.report.comparison import Facet, Outcome, Proof
from tokaudit_soundness.forging import forged


def taken(sides: Sides) -> dict[str, Proof]:
    """The facets that are forged, and how."""
    left, right = (Side(name, spec) for name, spec in zip("ab", sides, strict=True))
    found = {facet.name: facet.certificate for facet in forged(left, right, ())}
    return {name: each.proof for name, each in found.items() if each is not None}


@pytest.mark.parametrize(
    ("facet", "sides"),
    [
        *(("added tokens", ADDED), ("post-processor", AROUND), ("pre-tokenizer", CUTS)),
        *(("pre-tokenizer", CROSSED), ("decoder", JOINED), ("merges", SWAPPED), ("ids", WORDS)),
    ],
)
def test_no_checker_takes_one_of_what_differs(facet: str, sides: Sides) -> None:
    assert facet not in taken(sides)


@pytest.mark.parametrize(
    ("facet", "proof", "sides"),
    [
        ("merges", Proof.MERGES, FREE_ORDER),
        ("merges", Proof.ENTRIES, SHUFFLED),
        ("decoder", Proof.TOKENS, SAME_BYTES),
        ("pre-tokenizer", Proof.CUTS, SAME_CUTS),
        ("pre-tokenizer", Proof.NO_ENTRY_ACROSS, NOTHING_ACROSS),
    ],
)
def test_of_what_is_alike_it_is_taken(facet: str, proof: Proof, sides: Sides) -> None:
    assert taken(sides)[facet] is proof


def test_what_a_prover_proved_is_not_forged() -> None:
    left, right = (Side(name, spec) for name, spec in zip("ab", SHUFFLED, strict=True))
    proved = [Facet(name, Outcome.IDENTICAL, "") for name in (IDS, MERGES)]
    assert not {IDS, MERGES} & {facet.name for facet in forged(left, right, proved)}
