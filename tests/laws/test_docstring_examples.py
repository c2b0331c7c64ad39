"""The examples in the docstrings of the core and of the reference are true."""

from __future__ import annotations

import doctest
import importlib
import linecache
import pkgutil
from pathlib import Path

import pytest

import tokaudit
import tokaudit_reference
from tokaudit.products.demo.checkpoints import write_checkpoints

PACKAGES = (tokaudit, tokaudit_reference)


@pytest.mark.long
@pytest.mark.usefixtures("workers_in_forks")
def test_the_examples_of_a_module_are_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    """Where `models` holds the checkpoints of `tokaudit demo`."""
    write_checkpoints(tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    names = [
        module.name
        for package in PACKAGES
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    ]
    tried = {name: tried_in(name) for name in (*(each.__name__ for each in PACKAGES), *names)}
    assert sum(each.attempted for each in tried.values()) > 300
    assert {name: each for name, each in tried.items() if each.failed} == {}


def tried_in(module: str) -> doctest.TestResults:
    """Its examples, for each of which doctest asks after all files whose lines are remembered."""
    linecache.clearcache()
    return doctest.testmod(importlib.import_module(module))
