"""Fields of a report are made of what checks had built, and have nothing built themselves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tokaudit
from tokaudit.engine.resolver import Needs, need
from tokaudit.foundation.errors import Skip
from tokaudit_folders import sick


@dataclass(frozen=True)
class Egg:
    size: int


@dataclass(frozen=True)
class Hen:
    weight: int


@need
def egg(size: int) -> Egg:
    return Egg(size)


@need
def hen(egg: Egg) -> Hen:
    raise Skip("no hen")


def words(egg: Egg, hen: Hen | None) -> str:
    return f"{egg.size}, {hen}"


def test_what_nobody_asked_for_is_not_built() -> None:
    needs = Needs.of([egg, hen], 7)
    assert needs.of_known(words) is None
    assert needs.known(Egg) is None


def test_what_was_asked_for_is_taken_and_an_optional_need_that_was_not_is_none() -> None:
    needs = Needs.of([egg, hen], 7)
    needs.get(Egg)
    assert needs.of_known(words) == "7, None"


def test_an_optional_need_that_could_not_be_had_is_none() -> None:
    needs = Needs.of([egg, hen], 7)
    needs.without_fault(Hen)
    assert needs.of_known(words) == "7, None"


def test_a_report_shows_conversations_although_the_user_gave_none(tmp_path: Path) -> None:
    report = tokaudit.audit(
        sick.healthy(tmp_path / "model"), select=["chat_template"], tier="quick"
    )
    assert [one.conversation for one in report.transcripts] == ["system-turns-2", "tool-call"]
    assert report.transcripts[0].tokens
