"""What a recipe is: a healthy folder, a way to break a copy, and the checks that name the cause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Writer = Callable[[Path], object]


@dataclass(frozen=True)
class Recipe:
    """One instance of a defect; an entry with several is caught when all of them are.

    `checks` are those that name its cause, `severity` the least that its harm deserves.  Where
    `base` is set the healthy folder is given as `--base`; `against` names an encoder.
    """

    defect: str
    name: str
    healthy: Writer
    break_it: Writer
    checks: tuple[str, ...]
    severity: str = "warning"
    base: bool = False
    against: str = ""


RECIPES: list[Recipe] = []


def recipe(
    defect: str,
    healthy: Writer,
    *checks: str,
    severity: str = "warning",
    base: bool = False,
    against: str = "",
) -> Callable[[Writer], Writer]:
    """Register a way to break a healthy folder under the id of its defect."""

    def register(break_it: Writer) -> Writer:
        name = break_it.__name__
        RECIPES.append(Recipe(defect, name, healthy, break_it, checks, severity, base, against))
        return break_it

    return register


def sickness(defect: str, healthy: Writer, operator: Writer, *checks: str, **more: object) -> None:
    """Register an operator of the tests' sick folders."""
    recipe(defect, healthy, *checks, **more)(operator)  # type: ignore[arg-type]
