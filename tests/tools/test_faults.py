"""Every fault has a name of its own, names checks that are there, and is found in any process."""

from __future__ import annotations

from collections import Counter

import pytest

from tokaudit.engine.check import all_checks
from tokaudit.report.model import Severity
from tokaudit_faults import fault as of_faults
from tokaudit_faults.case import Case, all_faults, once
from tokaudit_faults.fault import DRAFTS, FOLDERS, TEMPLATES, Fault, register
from tokaudit_faults.folders.checkpoint import AGAINST_BASE, ALONE

FAULTS = all_faults()


def test_the_registry_has_the_faults_of_drafts_folders_and_templates() -> None:
    """A fault that is taken out is a score that is lost: the numbers only grow."""
    kinds = Counter(fault.kind for fault in FAULTS.values())
    assert kinds == {DRAFTS: 192, FOLDERS: 184, TEMPLATES: 60}


def test_every_fault_is_known_by_its_own_name() -> None:
    assert [fault.id for fault in FAULTS.values()] == [*FAULTS]


def test_a_second_fault_of_a_name_is_refused() -> None:
    one = next(iter(FAULTS.values()))
    with pytest.raises(ValueError, match=f"there are two faults {one.id}"):
        register(one)
    assert of_faults.FAULTS is FAULTS


def test_every_check_that_a_fault_names_is_there() -> None:
    known = {check.id for check in all_checks()}
    assert {fault.id: fault.checks for fault in FAULTS.values() if {*fault.checks} - known} == {}


def test_a_fault_names_a_check_unless_it_is_neutral() -> None:
    assert [fault.id for fault in FAULTS.values() if bool(fault.checks) == fault.neutral] == []


def test_every_severity_is_one_of_a_finding() -> None:
    assert {fault.severity for fault in FAULTS.values()} <= {*Severity}


def test_what_faults_are_put_into_is_known_by_name() -> None:
    def twice(fault: Fault) -> bool:
        return len({each.name for each in fault.healthy}) < len(fault.healthy)

    assert [fault.id for fault in FAULTS.values() if not fault.healthy or twice(fault)] == []


def test_a_case_finds_its_fault_and_what_it_is_put_into_by_their_names() -> None:
    fault = ALONE["drop_a_byte"]
    (case,) = once(fault)
    assert case == Case("folders/vocab/drop_a_byte", "healthy")
    assert (case.made_by, case.made_of) == (fault, fault.healthy[0])


def test_a_fault_of_the_checkpoint_says_what_a_finding_shows() -> None:
    listed = [*ALONE.values(), *AGAINST_BASE.values()]
    assert [fault.id for fault in listed if not fault.shows] == []
    assert (len(ALONE), len(AGAINST_BASE)) == (75, 7)
