"""Needs are built from each other, each once, and say what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tokaudit.engine.resolver import Needs, need
from tokaudit.foundation.errors import NotApplicable, Skip, TokauditError


@dataclass(frozen=True)
class Egg:
    size: int


@dataclass(frozen=True)
class Hen:
    weight: int


def test_a_need_is_built_from_other_needs_and_from_what_is_given() -> None:
    @need
    def egg(size: int) -> Egg:
        return Egg(size)

    @need
    def hen(egg: Egg, scale: str) -> Hen:
        return Hen(egg.size * len(scale))

    assert Needs.of([hen, egg], 7, "two").get(Hen) == Hen(21)


def test_what_a_provider_raised_is_raised_every_time_and_it_is_asked_once() -> None:
    asked: list[int] = []

    @need
    def egg() -> Egg:
        asked.append(1)
        raise Skip("no hen")

    needs = Needs.of([egg])
    for _ in range(2):
        with pytest.raises(Skip, match="no hen"):
            needs.get(Egg)
    assert asked == [1]


@pytest.mark.parametrize("error", [Skip, NotApplicable])
def test_an_optional_need_that_cannot_be_had_is_none(error: type[Exception]) -> None:
    @need
    def egg() -> Egg:
        raise error("no hen")

    def asks(egg: Egg | None, size: int | None) -> None: ...

    assert Needs.of([egg], 7).arguments(asks) == {"egg": None, "size": 7}


def test_what_breaks_an_optional_need_is_not_hidden() -> None:
    @need
    def egg() -> Egg:
        raise ValueError("broken")

    def asks(egg: Egg | None) -> None: ...

    with pytest.raises(ValueError, match="broken"):
        Needs.of([egg]).arguments(asks)


def test_needs_that_ask_for_each_other_are_named_in_their_ring() -> None:
    @need
    def egg(hen: Hen) -> Egg:
        return Egg(hen.weight)

    @need
    def hen(egg: Egg) -> Hen:
        return Hen(egg.size)

    needs = Needs.of([egg, hen])
    for _ in range(2):
        with pytest.raises(TokauditError, match=r"^needs ask for each other: Egg -> Hen -> Egg$"):
            needs.get(Egg)


def test_a_need_that_asks_for_itself_is_named() -> None:
    @need
    def egg(egg: Egg) -> Egg:
        return egg

    with pytest.raises(TokauditError, match=r"^needs ask for each other: Egg -> Egg$"):
        Needs.of([egg]).get(Egg)


def test_a_need_that_nothing_builds_is_named() -> None:
    with pytest.raises(TokauditError, match=r"^no installed need builds Egg$"):
        Needs({}).get(Egg)


def test_a_provider_that_does_not_say_what_it_builds_is_refused() -> None:
    def egg() -> None: ...

    with pytest.raises(TypeError, match="egg does not say what type it builds"):
        need(egg)
