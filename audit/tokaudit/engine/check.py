"""A check: one question with a stable id, asked of whatever its parameters name."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

from tokaudit.errors import UsageError
from tokaudit.report.model import Basis, Finding, Measurement, Severity

CheckFunction = Callable[..., Iterator[Finding | Measurement]]
TIERS = ("quick", "default", "full")


@dataclass(frozen=True)
class Check:
    """One question: its id `suite/name`, what it is worth and the function that answers it.

    The annotations of the function's parameters are its needs (see `tokaudit.engine.needs`).
    `severity` is the worst a finding of this check may be.
    """

    id: str
    title: str
    why: str
    remedy: str
    severity: Severity
    basis: tuple[Basis, ...]
    function: CheckFunction
    incident: str = ""
    tier: str = "quick"
    required: bool = False
    alone: bool = False  # asked after all others and one at a time, because it measures time

    @property
    def suite(self) -> str:
        """The part of the id before the slash."""
        return self.id.partition("/")[0]


def check(
    id: str,
    *,
    title: str,
    why: str,
    remedy: str,
    severity: Severity,
    basis: Basis | tuple[Basis, ...],
    incident: str = "",
    tier: str = "quick",
    required: bool = False,
    alone: bool = False,
) -> Callable[[CheckFunction], Check]:
    """Turn a generator of findings and measurements into a `Check`; the module need do no more."""

    def wrap(function: CheckFunction) -> Check:
        bases = basis if isinstance(basis, tuple) else (basis,)
        return Check(
            id, title, why, remedy, severity, bases, function, incident, tier, required, alone
        )

    return wrap


def all_checks() -> list[Check]:
    """Every check of every installed suite package, sorted by id.

    A suite package is named by an entry point of the group `tokaudit.suites`; its modules are
    walked and each `Check` found at module level is one of its checks.  Raises `UsageError` for a
    package that cannot be imported, and for two checks of one id.
    """
    found: dict[str, Check] = {}
    for entry in entry_points(group="tokaudit.suites"):
        for item in _checks_of(entry):
            if found.setdefault(item.id, item) is not item:
                raise UsageError(f"two installed checks have the id {item.id}; see {entry.value}")
    return [found[id] for id in sorted(found)]


def _checks_of(entry: EntryPoint) -> list[Check]:
    try:
        return list(_checks_in(entry.value))
    except ImportError as error:
        raise UsageError(
            f"the installed suite {entry.value} cannot be imported: {error}"
        ) from error


def _checks_in(package_name: str) -> Iterator[Check]:
    package = importlib.import_module(package_name)
    for module in pkgutil.walk_packages(package.__path__, package_name + "."):
        members = vars(importlib.import_module(module.name)).values()
        yield from (member for member in members if isinstance(member, Check))


def matches(check_id: str, prefixes: tuple[str, ...]) -> bool:
    """Whether an id is chosen by one of the prefixes; a suite name chooses the whole suite.

    >>> matches("vocab/holes", ("vocab",)), matches("vocab/holes", ("voc",))
    (True, False)
    """
    return any(check_id == p or check_id.startswith(p.rstrip("/") + "/") for p in prefixes)
