"""Parts of a report that a product collects once the checks have run, each an installed plug-in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit.engine.resolver import Needs
from tokaudit.foundation.plugins.installed import Kind, installed


@dataclass(frozen=True)
class Collector:
    """Fills one field of the report with what the checks have had computed; it asks nothing new."""

    field: str
    collect: Callable[[Needs], Any]


@dataclass(frozen=True)
class ScopePart:
    """Says of what a verdict speaks, as far as a product knows; "" where it has nothing to say."""

    name: str
    words: Callable[[Needs], str]


COLLECTORS = Kind("collector", Collector, ("needs",), lambda one: (one.field,))
SCOPE_PARTS = Kind("part of the scope", ScopePart, ("needs",), lambda one: (one.name,))


@cache
def all_collectors() -> tuple[Collector, ...]:
    """Every installed collector, by the name of its field."""
    return tuple(installed(COLLECTORS).all().values())


@cache
def all_scope_parts() -> tuple[ScopePart, ...]:
    """Every installed part of the scope, by name."""
    return tuple(installed(SCOPE_PARTS).all().values())
