"""What every test may use: the outside material, if it is there; the command is in `processes`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from history import said_of_history
from hypothesis import settings
from locations import find_material

from tokaudit.engine import runner
from tokaudit.engine.check import Check
from tokaudit.engine.resolver import Needs
from tokaudit.foundation.own_process import collect_seldom
from tokaudit.report.model import Finding

pytest_plugins = ("processes", "two_nodes")
sys.dont_write_bytecode = False  # or each process rewrites the asserts of 400 files anew
settings.register_profile("tests", deadline=None)  # a busy machine must not fail a law
settings.load_profile("tests")
collect_seldom()  # as the command does


@pytest.fixture(scope="session")
def material() -> Path:
    """The outside material; skips, saying how to get it, where there is none."""
    found = find_material()
    if found is None:
        pytest.skip("no outside material: set TOKAUDIT_MATERIAL to its folder")
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes a minute begins first, so that nobody waits for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """No search for garbage walks over ten thousand tests again: it took a fifth of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Whatever a test has checks report, no finding says what happened earlier without evidence."""
    found: list[str] = []
    signed = runner._signed

    def kept(finding: Finding, check: Check, needs: Needs) -> Finding:
        """The finding as it is reported, and note of what it says."""
        made = signed(finding, check, needs)
        found.extend((made.message, made.remedy))
        return made

    with patch.object(runner, "_signed", kept):
        yield
    assert {text: words for text in found if (words := said_of_history(text))} == {}
