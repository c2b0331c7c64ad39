"""Puts a wrong value in the place of a function while a test runs."""

from __future__ import annotations

import sys
from functools import cached_property
from importlib import import_module
from inspect import getattr_static
from typing import Any

import pytest

CACHES = ("tokaudit.products.compare", "tokaudit_reference.text")


def put(monkeypatch: pytest.MonkeyPatch, broken: str, wrong: Any, *, for_all: bool = False) -> None:
    """Break `module:name`; an attribute that is a property stays one.

    `for_all` breaks it in every module that has imported it, prover and checker alike.
    """
    module, _, name = broken.partition(":")
    owner: Any = import_module(module)
    *path, last = name.split(".")
    for each in path:
        owner = getattr(owner, each)
    was = getattr_static(owner, last)
    value = isinstance(was, property | cached_property)
    monkeypatch.setattr(owner, last, property(lambda self: wrong) if value else wrong)
    if for_all:
        everywhere(monkeypatch, was, wrong)


def everywhere(monkeypatch: pytest.MonkeyPatch, was: Any, wrong: Any) -> None:
    """Break a function for every module that has imported it."""
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if value is was and module.__name__.startswith("tokaudit"):
                monkeypatch.setattr(module, name, wrong)


def forget() -> None:
    """Empty the caches of comparisons and patterns, which were filled by whole functions."""
    for name, module in list(sys.modules.items()):
        if name.startswith(CACHES):
            for each in list(vars(module).values()):
                if callable(clear := getattr(each, "cache_clear", None)):
                    clear()
