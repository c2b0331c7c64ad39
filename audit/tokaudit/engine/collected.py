"""Report fields that installed plug-ins fill once the checks have run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit.engine.resolver import Needs
from tokaudit.foundation.plugins.installed import Kind, installed
from tokaudit.report.model import CheckResult


@dataclass(frozen=True)
class Answered:
    """The results of all checks, for collectors."""

    results: tuple[CheckResult, ...]


@dataclass(frozen=True)
class Collector:
    """A plug-in that fills one field of the report from needs that checks had built.

    The parameters of `collect` are needs, as those of a check are, and nothing new is built: it is
    not called where one is missing that is not optional.  What is collected as `scope` is added to
    the words on what the verdict speaks about.
    """

    field: str
    collect: Callable[..., Any]


COLLECTORS = Kind("collector", Collector, ("needs",), lambda one: (one.field,))


@cache
def _all_collectors() -> tuple[Collector, ...]:
    return tuple(installed(COLLECTORS).all().values())


def collected(needs: Needs) -> dict[str, Any]:
    """Collect every field of the report that a plug-in fills."""
    found = {each.field: needs.of_known(each.collect) for each in _all_collectors()}
    return {field: value for field, value in found.items() if value is not None}
