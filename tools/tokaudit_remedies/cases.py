"""Every case: the bad examples of checks, the documented defects, a mutant for each operator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.examples import BAD, example
from tokaudit_faults import case as faults
from tokaudit_faults.fault import Healthy
from tokaudit_faults.healthy.families import OF_PACKAGES
from tokaudit_folders.example_folders import written
from tokaudit_remedies.case import AuditInput, Case


def all_cases() -> Iterator[Case]:
    """The cheap ones first."""
    yield from examples()
    yield from defects()
    yield from operators()


def examples() -> Iterator[Case]:
    """The bad example of each check that has one."""
    for check in all_checks():
        if example(check, BAD):
            yield Case("examples", check.id, (check.id,), partial(_example, check))


def _example(check: Check, folder: Path) -> AuditInput:
    made = written(example(check, BAD), folder)
    against = made.get("against")
    return AuditInput(made["subject"], made.get("base"), None if against is None else str(against))


def defects() -> Iterator[Case]:
    """Every documented defect, in each of its forms."""
    for fault in faults.documented():
        for broken in faults.once(fault):
            yield _case("defects", f"{fault.entry} {fault.name}", broken)


def operators() -> Iterator[Case]:
    """One mutant for each operator, of the first family that it fits."""
    here, _ = faults.present(OF_PACKAGES)
    seen = set[str]()
    for mutant in faults.mutants(here, 1):
        fault = mutant.made_by
        if not fault.neutral and mutant.fault not in seen:
            seen.add(mutant.fault)
            yield _case("mutants", f"{fault.component}: {fault.words} ({mutant.healthy})", mutant)


def _case(source: str, name: str, broken: faults.Case) -> Case:
    sound = broken.made_of
    writers = (partial(_written, broken, each) for each in (broken, sound))
    return Case(source, name, broken.made_by.checks, *writers)


def _written(of: faults.Case, subject: faults.Case | Healthy, folder: Path) -> AuditInput:
    """The broken folder or the sound one, and what it is compared with."""
    fault = of.made_by
    subject.write(folder / "subject")
    if fault.base:
        of.made_of.write(folder / "base")
    base = folder / "base" if fault.base else None
    return AuditInput(folder / "subject", base, fault.against or None)
