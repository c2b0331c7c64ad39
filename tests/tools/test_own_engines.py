"""Engines in Python, Node and Rust: sound without a fault, and each fault shown by vectors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit_runtimes.own_engines import COMPILERS, SOUND, OwnFault, absent, own_faults
from tokaudit_runtimes.own_trials import COLUMNS, found_by, sound_of

NO_EFFECT = ("a carriage return ends no line", "contractions of listed letters")
"""The tokenizer has no token in which such a character is next to another."""
PAGE = Path(__file__).parents[2] / "docs" / "vectors.md"


def test_the_list_has_thirty_faults_in_two_halves_and_three_languages() -> None:
    found = own_faults()
    assert len({fault.name for fault in found}) == len(found) == 30
    assert sorted(fault.half for fault in found) == ["first"] * 15 + ["second"] * 15
    assert sorted(fault.language for fault in found) == sorted([*COMPILERS] * 10)


@pytest.mark.parametrize("language", COMPILERS)
def test_every_fault_is_a_branch_of_the_engine_in_its_language(language: str) -> None:
    suffix = {"Python": "py", "Node": "mjs", "Rust": "rs"}[language]
    folder = Path(__file__).parents[2] / "tools" / "tokaudit_runtimes" / "engines"
    source = (folder / f"bpe.{suffix}").read_text("utf-8").replace("\\\\", "\\")
    names = [fault.name for fault in own_faults() if fault.language == language]
    assert [name for name in names if f'"{name}"' not in source] == []


@pytest.mark.runtimes
@pytest.mark.parametrize("language", COMPILERS)
@pytest.mark.parametrize("subject", ["cased", "uncased"])
def test_an_engine_without_a_fault_differs_in_nothing(language: str, subject: str) -> None:
    if why := absent(language):
        pytest.skip(why)
    fault = OwnFault(SOUND, language, subject, "")
    assert sound_of(fault, COLUMNS) == [0] * len(COLUMNS)


@pytest.mark.runtimes
@pytest.mark.parametrize("fault", own_faults(), ids=lambda fault: fault.name)
def test_the_referee_and_the_vectors_find_it(fault: OwnFault) -> None:
    if why := absent(fault.language):
        pytest.skip(why)
    found = found_by(fault, fault.name, ("runtimes", "vectors"))
    assert [count > 0 for count in found] == [fault.name not in NO_EFFECT] * 2
