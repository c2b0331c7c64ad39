"""What every registered check must look like, whoever wrote it."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import pytest

from tokaudit.engine.check import Check, all_checks

CHECKS = all_checks()
FORM = re.compile(r"[a-z]+(_[a-z]+)*/[a-z0-9]+(-[a-z0-9]+)*")


@pytest.fixture(params=CHECKS, ids=lambda check: check.id)
def check(request: pytest.FixtureRequest) -> Check:
    assert isinstance(request.param, Check)
    return request.param


def module_of(check: Check) -> Path:
    return Path(inspect.getfile(check.function))


def test_the_id_is_suite_slash_words_with_dashes(check: Check) -> None:
    assert FORM.fullmatch(check.id)


def test_the_texts_a_reader_needs_are_there(check: Check) -> None:
    assert check.title and not check.title.endswith(".")
    assert check.why.endswith(".")
    assert check.remedy.endswith((".", ")"))


def test_the_module_says_what_defect_it_is_about(check: Check) -> None:
    doc = sys.modules[check.function.__module__].__doc__
    assert doc and doc.splitlines()[0].endswith((".", "?"))


def test_the_function_says_how_it_decides(check: Check) -> None:
    assert check.function.__doc__


def test_the_file_lies_in_its_suites_folder(check: Check) -> None:
    assert module_of(check).parent.name == check.suite


def test_what_it_needs_can_be_read_from_its_annotations(check: Check) -> None:
    from typing import get_type_hints

    hints = get_type_hints(check.function)
    assert set(inspect.signature(check.function).parameters) <= set(hints)


def test_it_names_its_evidence(check: Check) -> None:
    assert check.basis


def test_no_two_checks_share_a_file() -> None:
    files = [module_of(check) for check in CHECKS]
    assert sorted(set(files)) == sorted(files)


def test_no_two_checks_share_an_id() -> None:
    found = [
        member.id
        for name, module in list(sys.modules.items())
        if name.startswith("tokaudit_suites.") and name.count(".") == 2
        for member in vars(module).values()
        if isinstance(member, Check) and member.function.__module__ == name
    ]
    assert len(found) == len(set(found)) == len(CHECKS)
