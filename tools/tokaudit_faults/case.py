"""A case is a fault in something healthy; all of them can be found by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from tokaudit_faults.fault import DRAFTS, FAULTS, Fault, Healthy, Inapplicable
from tokaudit_faults.healthy.draft import Draft
from tokaudit_faults.healthy.families import FAMILIES
from tokaudit_faults.healthy.family import Absent


@dataclass(frozen=True)
class Case:
    """A fault in something healthy with a seed; the names find both again in another process."""

    fault: str
    healthy: str
    seed: int = 0

    @property
    def made_by(self) -> Fault:
        """The fault."""
        return all_faults()[self.fault]

    @property
    def made_of(self) -> Healthy:
        """What it is put into."""
        return next(each for each in self.made_by.healthy if each.name == self.healthy)

    @property
    def seeded(self) -> str:
        """The seed of what is drawn, which is another for every fault and family."""
        fault = self.made_by
        return f"{self.healthy}/{fault.component}/{fault.words}/{self.seed}"

    def write(self, folder: Path) -> None:
        """Write the broken checkpoint; raises `Inapplicable`."""
        self.made_of.write(folder, self.made_by.change, self.seeded)

    def draft(self) -> Draft:
        """The broken draft of a family; raises `Inapplicable`."""
        return FAMILIES[self.healthy].draft(self.made_by.change, self.seeded)


@cache
def all_faults() -> dict[str, Fault]:
    """Every fault by its id: those of drafts, of folders and of templates."""
    for package in ("drafts", "folders"):
        room = import_module(f"tokaudit_faults.{package}")
        for module in sorted(each.name for each in iter_modules(room.__path__)):
            import_module(f"{room.__name__}.{module}")
    import_module("tokaudit_faults.templates")
    return FAULTS


def of_kind(kind: str) -> list[Fault]:
    """The faults of drafts, of folders or of templates, in their order."""
    return [fault for fault in all_faults().values() if fault.kind == kind]


def documented() -> list[Fault]:
    """The instances of documented defects; an entry with several is caught when all of them are."""
    return [fault for fault in all_faults().values() if fault.entry]


def once(fault: Fault) -> list[Case]:
    """The fault in each of what it is put into."""
    return [Case(fault.id, each.name) for each in fault.healthy]


def present(names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """The families that are here, and why each other one is not."""
    here, absent = list[str](), dict[str, str]()
    for name in names:
        try:
            FAMILIES[name].draft()
            here.append(name)
        except Absent as error:
            absent[name] = str(error)
    return here, absent


def mutants(names: Sequence[str], places: int) -> Iterator[Case]:
    """Every fault of drafts in every family that it fits, without those that come out the same."""
    for name in names:
        known = {FAMILIES[name].draft().digest()}
        for fault in of_kind(DRAFTS):
            for case in (Case(fault.id, name, seed) for seed in range(places)):
                try:
                    found = f"{fault.id} {case.draft().digest()}"
                except Inapplicable:
                    continue
                if found not in known:
                    known.add(found)
                    yield case
