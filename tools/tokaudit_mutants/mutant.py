"""Which mutants there are: an operator on a family, at a seeded place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from random import Random

import tokaudit_mutants.operators  # noqa: F401  registers every operator
from tokaudit_mutants import families
from tokaudit_mutants.draft import Draft
from tokaudit_mutants.families.family import Absent, Family
from tokaudit_mutants.operator import OPERATORS, Inapplicable, Operator


@dataclass(frozen=True)
class Mutant:
    """One operator on one family with a seed; the names find both again in another process."""

    family: str
    group: str
    operator: str
    seed: int

    @property
    def made_by(self) -> Operator:
        """The operator."""
        return next(o for o in OPERATORS if (o.group, o.name) == (self.group, self.operator))

    def draft(self) -> Draft:
        """The changed draft; raises `Inapplicable`."""
        changed = healthy(self.family).copied()
        seed = f"{self.family}/{self.group}/{self.operator}/{self.seed}"
        self.made_by.change(changed, Random(seed))
        return changed


@cache
def all_families() -> dict[str, Family]:
    """Every family by its name."""
    package = families.__name__
    modules = (import_module(f"{package}.{m.name}") for m in iter_modules(families.__path__))
    found: list[Family] = [m.FAMILY for m in modules if hasattr(m, "FAMILY")]
    return {family.name: family for family in found}


@cache
def healthy(family: str) -> Draft:
    """The healthy draft, which nobody changes; raises `Absent`."""
    return all_families()[family].make()


def present(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The families that are here, and why each other one is not."""
    here, absent = list[str](), dict[str, str]()
    for name in names:
        try:
            healthy(name)
            here.append(name)
        except Absent as error:
            absent[name] = str(error)
    return here, absent


def mutants(names: Sequence[str], places: int) -> Iterator[Mutant]:
    """Every operator on every family that it fits, without those that come out the same."""
    for name in names:
        known = {digest(healthy(name))}
        for operator in OPERATORS:
            for seed in range(places):
                mutant = Mutant(name, operator.group, operator.name, seed)
                try:
                    found = f"{operator.group} {operator.name} {digest(mutant.draft())}"
                except Inapplicable:
                    continue
                if found not in known:
                    known.add(found)
                    yield mutant


def digest(draft: Draft) -> str:
    """A digest of what the draft is written as."""
    folder = draft.folder()
    whole = hashlib.sha256(folder.text().encode())
    for name, data in sorted(folder.files.items()):
        whole.update(name.encode() + b"\0" + data)
    return whole.hexdigest()
