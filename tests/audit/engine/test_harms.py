"""A finding is no more severe than what its check declares and its harm allows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from places import too_severe

from tokaudit.engine.check import Check, check
from tokaudit.engine.harms import WEIGHTS, exceeds, worst
from tokaudit.report.model import Basis, Finding, Harm, Severity


def made(severity: Severity, harm: Harm) -> Check:
    @check(
        "vocab/made-here",
        title="Nothing is asked",
        why="It is not.",
        remedy="None.",
        severity=severity,
        basis=Basis.INTRINSIC,
        harm=harm,
        harms={"of little harm": Harm.STYLE},
    )
    def nothing() -> Iterator[Finding]:
        """Ask nothing."""
        yield from ()

    return nothing


def test_each_harm_has_its_weight_and_what_is_suspected_is_never_worse_than_what_is_shown() -> None:
    assert set(WEIGHTS) == set(Harm)
    assert not any(exceeds(each.suspected, each.shown) for each in WEIGHTS.values())
    assert not any(each.suspected is Severity.ERROR for each in WEIGHTS.values())


def test_a_harm_weighs_no_more_than_the_one_before_it() -> None:
    ranks = [worst(harm).rank for harm in Harm]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("declared", "harm", "found", "cause", "wrong"),
    [
        (Severity.ERROR, Harm.CRASH, Severity.ERROR, "a", False),
        (Severity.WARNING, Harm.CRASH, Severity.ERROR, "a", True),
        (Severity.ERROR, Harm.COST, Severity.ERROR, "a", True),
        (Severity.ERROR, Harm.CRASH, Severity.WARNING, "of little harm", True),
        (Severity.ERROR, Harm.CRASH, Severity.INFO, "of little harm", False),
    ],
)
def test_a_finding_above_its_check_or_its_harm_is_named(
    declared: Severity, harm: Harm, found: Severity, cause: str, wrong: bool
) -> None:
    finding = Finding(found, "It is so.", cause=cause)
    assert bool(too_severe(made(declared, harm), [finding])) is wrong
