"""The examples in the docstrings of the core are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import tokaudit

MODULES = ["tokaudit"] + [
    module.name
    for module in pkgutil.walk_packages(tokaudit.__path__, "tokaudit.")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
