"""What a second tokenizer may have otherwise; a module of this room that declares a change adds it.

Many changes do nothing to any text, so that there is much to prove; others nearly nothing.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from tokaudit_soundness.changes.change import Change


@cache
def all_changes() -> dict[str, Change]:
    """Name -> change, of every module of this room."""
    modules = (import_module(each.name) for each in pkgutil.iter_modules(__path__, f"{__name__}."))
    found = (each for module in modules for value in vars(module).values() for each in _in(value))
    return {each.name: each for each in found}


def _in(value: object) -> list[Change]:
    """A change, or those of a list."""
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, Change)]
