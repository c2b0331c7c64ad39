"""Every case: the bad examples of checks, the documented defects, a mutant for each operator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import tokaudit_defects.recipes  # noqa: F401  registers every recipe
from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.examples import BAD, example
from tokaudit_defects.recipe import RECIPES, Recipe
from tokaudit_folders.example_folders import written
from tokaudit_mutants.mutant import Mutant, all_families, healthy, mutants, present
from tokaudit_remedies.case import AuditInput, Case

OUTSIDE = "Unigram"  # of the outside material


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
    known = {check.id for check in all_checks()}
    for recipe in RECIPES:
        checks = tuple(check for check in recipe.checks if check in known)
        name = f"{recipe.defect} {recipe.name}"
        broken, sound = partial(_defect, recipe, True), partial(_defect, recipe, False)
        yield Case("defects", name, checks, broken, sound)


def _defect(recipe: Recipe, broken: bool, folder: Path) -> AuditInput:
    subject, base = folder / "subject", folder / "base"
    recipe.healthy(subject)
    if broken:
        recipe.break_it(subject)
    if recipe.base:
        recipe.healthy(base)
    return AuditInput(subject, base if recipe.base else None, recipe.against or None)


def operators() -> Iterator[Case]:
    """One mutant for each operator, of the first family that it fits."""
    here, _ = present([name for name in all_families() if name != OUTSIDE])
    seen = set[tuple[str, str]]()
    for mutant in mutants(here, 1):
        operator = mutant.made_by
        if not operator.neutral and (mutant.group, mutant.operator) not in seen:
            seen.add((mutant.group, mutant.operator))
            name = f"{mutant.group}: {mutant.operator} ({mutant.family})"
            broken, sound = partial(_mutant, mutant, True), partial(_mutant, mutant, False)
            yield Case("mutants", name, operator.checks, broken, sound)


def _mutant(mutant: Mutant, broken: bool, folder: Path) -> AuditInput:
    subject, base = folder / "subject", folder / "base"
    (mutant.draft() if broken else healthy(mutant.family)).write(subject)
    if mutant.made_by.base:
        healthy(mutant.family).write(base)
    return AuditInput(subject, base if mutant.made_by.base else None)
