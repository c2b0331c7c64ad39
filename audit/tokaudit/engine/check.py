"""A check: one question with a stable id and declared needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from tokaudit.engine.measured import Measured
from tokaudit.engine.remedies import plain
from tokaudit.foundation.plugins import catalogue
from tokaudit.foundation.plugins.installed import Kind, held_by, installed
from tokaudit.report.model import Basis, Finding, Harm, Measurement, Repairing, Severity

CheckFunction = Callable[..., Iterator[Finding | Measurement]]
ONLY_MEASURES = (
    "It only measures, so no files are a bad or a good example; a gate can limit its figures."
)


@dataclass(frozen=True, repr=False)
class Check:
    """One question: its id `suite/name`, its severity and the function that answers it.

    The annotations of the function's parameters are its needs (see `tokaudit.engine.needs`).
    `form` is the remedy with places for the names of a subject, as in `engine.remedies`.
    `severity` is the worst a finding of this check may be.  A bad and a good example are folders
    next to its module (`engine.examples`); where one of the two cannot be shown, `no_example` says
    why, in a sentence for its page.
    `left_to_code`: it is about ids, rows or special tokens that the checkpoint's own code may
    supply, and leaves open what would be an error where there is such code.
    `only_measures`: it gives figures and judges nothing, so it needs no example and never passes.
    `harm` is the worst that what it finds does to users, and `harms` that of causes with another;
    where the severity is below what the harm allows (`engine.harms`), `milder` says why.
    `repair` makes the repair of a finding that states none.
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
    measures: tuple[Measured, ...] = ()  # what thresholds and baselines may be about
    no_example: str = ""
    form: str = ""  # of the remedy, with places for the names of a subject
    left_to_code: bool = False
    only_measures: bool = False
    harm: Harm | None = None
    harms: Mapping[str, Harm] = field(default_factory=dict)
    milder: str = ""
    repair: Repairing | None = None

    def __repr__(self) -> str:
        """Return the id and the title."""
        return f"<Check {self.id}: {self.title!r}>"

    def harm_of(self, cause: str) -> Harm | None:
        """Return the harm of a finding with that cause to users."""
        return self.harms.get(cause, self.harm)

    @property
    def suite(self) -> str:
        """Return the part of the id before the slash."""
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
    measures: tuple[Measured, ...] = (),
    no_example: str = "",
    left_to_code: bool = False,
    only_measures: bool = False,
    harm: Harm | None = None,
    harms: Mapping[str, Harm] | None = None,
    milder: str = "",
    repair: Repairing | None = None,
) -> Callable[[CheckFunction], Check]:
    """Turn a generator of findings and measurements into a `Check`; the module need do no more."""

    def wrap(function: CheckFunction) -> Check:
        bases = basis if isinstance(basis, tuple) else (basis,)
        return Check(
            id,
            title,
            why,
            plain(remedy),
            severity,
            bases,
            function,
            incident,
            tier,
            required,
            alone,
            measures,
            ONLY_MEASURES if only_measures else no_example,
            remedy,
            left_to_code,
            only_measures,
            harm,
            harms or {},
            milder,
            repair,
        )

    return wrap


CHECKS = Kind("check", Check, ("suites",), lambda check: (check.id,))


def all_checks() -> list[Check]:
    """Return every installed check, from any package, sorted by id.

    Raises `UsageError` for a package that cannot be imported, and for two checks of one id.
    """
    return list(_all())


@cache
def _all() -> tuple[Check, ...]:
    """Return the installed checks, found at the first call of `all_checks`."""
    return tuple(installed(CHECKS).all().values())


@cache
def _modules_by_id() -> dict[str, str]:
    """Map ids to modules of checks; empty if a package has no catalogue."""
    known = catalogue.listed() or []
    found = {each.id: each.module for each in known}
    return found if len(found) == len(known) else {}


def check_ids() -> tuple[str, ...]:
    """Return the id of every installed check, sorted; catalogues avoid imports."""
    return tuple(_modules_by_id()) or tuple(check.id for check in _all())


def checks_named(prefixes: tuple[str, ...]) -> list[Check]:
    """Return the installed checks that the prefixes select, sorted by id; all without prefixes.

    Only these are imported where catalogues list them.  Raises `UsageError` for a module that
    cannot be imported.
    """
    modules = _modules_by_id() if prefixes else {}
    if not modules:
        return [check for check in _all() if not prefixes or matches(check.id, prefixes)]
    wanted = {modules[id] for id in modules if matches(id, prefixes)}
    found = held_by(CHECKS, sorted(wanted)).all().values()
    return [check for check in found if matches(check.id, prefixes)]


def matches(check_id: str, prefixes: tuple[str, ...]) -> bool:
    """Return whether a prefix selects an id; a suite name selects the whole suite.

    >>> matches("vocab/holes", ("vocab",)), matches("vocab/holes", ("voc",))
    (True, False)
    """
    return any(check_id == p or check_id.startswith(p.rstrip("/") + "/") for p in prefixes)
