"""No documented defect that was caught once is lost again."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from places import hold_to_places

from tokaudit_faults import catalogue
from tokaudit_faults.case import Case, documented, once
from tokaudit_faults.catalogue import Entry
from tokaudit_faults.fault import FAULTS, FOLDERS, Fault
from tokaudit_faults.folders.checkpoint import allow_more_tokens_than_positions
from tokaudit_faults.healthy.written import Written
from tokaudit_faults.scores.defects import main
from tokaudit_faults.scores.defects_table import Row, caught, caught_ids, sums, ways
from tokaudit_faults.scores.scorer import Score, Scorer
from tokaudit_faults.unscored import UNSCORED
from tokaudit_folders import sick

TESTS = Path(__file__).resolve().parent.parent
CAUGHT = """
D01 D02 D03 D05 D07 D08 D10 D11 D12 D14 D16 D18 D20 D21 D23 D25 D26 D27 D29 D30 D33 D34 D35 D38 D40
D42 D43 D45 D46 D49 D51 D52 D54 D55 D57 D58 D60 D61 D63 D64 D66 D68 D71 D72 D74 D75 D77 D78 D80 D81 D82 D83
D85 D86 D88 D92 D93 D95 D96 D103 D104 D106 D107 D109 D110 D112 D113 D115 D116 D118 D119 D121 D122 D124 D125
D127 D130 D131 D133
"""


@pytest.fixture(autouse=True)
def places_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold every finding of every instance to the places that it names."""
    hold_to_places(monkeypatch)


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer()


@pytest.fixture(scope="module")
def known(material: Path) -> dict[str, Entry]:
    if not (material / "defects.json").is_file():
        pytest.skip("no catalogue of defects: set TOKAUDIT_MATERIAL to a folder that has one")
    return {entry.id: entry for entry in catalogue.entries(material)}


@pytest.mark.parametrize("id", CAUGHT.split())
def test_the_check_that_names_the_cause_speaks_as_loudly_as_the_harm_deserves(
    id: str,
    scorer: Scorer,
    known: dict[str, Entry],
    monkeypatch: pytest.MonkeyPatch,
    material: Path,
    processes: None,
) -> None:
    monkeypatch.setenv("TOKAUDIT_MATERIAL", str(material))
    cases = instances(id)
    if any(case.made_by.against for case in cases):  # encoders that lie in a module of the tools
        monkeypatch.setenv("PYTHONPATH", str(TESTS.parent / "tools"))
    missed = [case.fault for case in cases if not caught((known[id], scorer.score(case)))]
    assert cases and missed == []


def instances(id: str) -> list[Case]:
    """The instances of a defect."""
    return [case for fault in documented() if fault.entry == id for case in once(fault)]


@pytest.mark.parametrize("entry", catalogue.own_entries(), ids=lambda entry: entry.id)
def test_the_defects_that_the_project_lists_are_caught(
    entry: Entry, scorer: Scorer, processes: None
) -> None:
    cases = instances(entry.id)
    missed = [case.fault for case in cases if not caught((entry, scorer.score(case)))]
    assert cases and missed == []


def test_the_project_lists_thirty_defects_and_each_cites_a_public_thread() -> None:
    listed = catalogue.own_entries()
    thread = re.compile(r"[\w.-]+/[\w.-]+(#| PR#)\d+")
    wrong = {e.id: e.references for e in listed if not all(map(thread.fullmatch, e.references))}
    assert wrong == {} and all(entry.references for entry in listed)
    assert len({entry.id for entry in listed}) == len(listed) >= 30


Making = Callable[..., Case]


@pytest.fixture
def making(monkeypatch: pytest.MonkeyPatch) -> Making:
    """Make a fault of the small folder, which the registry has until the test ends."""

    def made(check: str, change: Callable[[Path], object], **stated: Any) -> Case:
        small = (Written(sick.healthy),)
        name = f"{change.__name__} {stated}"
        fault = Fault(
            kind=FOLDERS,
            component="a test",
            name=name,
            change=change,
            healthy=small,
            checks=(check,),
            **stated,
        )
        monkeypatch.setitem(FAULTS, fault.id, fault)
        return once(fault)[0]

    return made


def missed(id: str, case: Case) -> Row:
    return Entry(id, "", "low", ""), Score(case, False)


def test_the_sums_tell_what_the_folder_shows_from_what_needs_a_base(making: Making) -> None:
    alone, against = (making("padding/pad-token", nothing, base=base) for base in (False, True))
    said = ways([missed("D30", alone), missed("D21", against)])
    assert said[:2] == ["shown by the folder alone: 1 (D30)", "need a base: 1 (D21)"]
    assert any(line.startswith("not seen from files, D32, D37") for line in said)


def test_an_entry_that_one_instance_shows_alone_needs_no_base(making: Making) -> None:
    both = [making("padding/pad-token", nothing, base=base) for base in (True, False)]
    assert ways([missed("D21", case) for case in both])[0] == "shown by the folder alone: 1 (D21)"


def test_every_entry_has_an_instance_or_a_reason_why_no_folder_shows_it(
    known: dict[str, Entry],
) -> None:
    made = {fault.entry for fault in documented()}
    assert made | UNSCORED.keys() == known.keys() and not made & UNSCORED.keys()


def nothing(folder: Path) -> None:
    """A break that breaks nothing."""


def test_a_folder_that_nobody_broke_is_a_miss_and_is_counted(
    making: Making, scorer: Scorer
) -> None:
    entry = Entry("D112", "duplicate-merge-pair", "low", "")
    rows = [(entry, scorer.score(making("merges/duplicates", nothing)))]
    assert caught_ids(rows) == set()
    assert sums(rows, [entry])[0] == f"0 of 1 entries caught, {len(UNSCORED)} not scored"


BUDGET = "padding/position-budget"


def test_a_warning_does_not_catch_what_deserves_an_error(making: Making, scorer: Scorer) -> None:
    case = making(BUDGET, allow_more_tokens_than_positions, severity="error")
    assert (scorer.score(case).caught, scorer.score(case).severity) == (False, "warning")


def test_a_critical_defect_that_passes_is_a_miss(making: Making, scorer: Scorer) -> None:
    found = scorer.score(making(BUDGET, allow_more_tokens_than_positions))
    rows = [(Entry("D113", "", severity, ""), found) for severity in ("medium", "critical")]
    assert [caught(row) for row in rows] == [True, False]


def test_without_the_material_the_command_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKAUDIT_MATERIAL", str(tmp_path))
    assert main([]) == 2
    assert "set TOKAUDIT_MATERIAL" in capsys.readouterr().err
