"""What an operator is: one way to break a checkpoint, and what must be said of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tokaudit_mutants.draft import Draft

Change = Callable[[Draft, Random], None]


class Inapplicable(Exception):
    """The family has nothing that the operator could change."""


@dataclass(frozen=True)
class Operator:
    """One way to change a draft.

    `blamed` are the components one of which the finding must blame, `checks` those that may name
    it, `severity` the least that its harm deserves.  Where `base` is set the healthy folder is the
    base, as nothing in the folder alone shows the change; `use` is the use that is stated then.  A
    neutral one changes nothing that anybody could notice, and no check may say anything.  `unseen`
    says why files may not show it.
    """

    name: str
    group: str
    change: Change
    blamed: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    severity: str = "error"
    base: bool = False
    neutral: bool = False
    unseen: str = ""
    use: str = ""


OPERATORS: list[Operator] = []


def operator(
    group: str,
    *checks: str,
    blamed: str | tuple[str, ...],
    severity: str = "error",
    base: bool = False,
    unseen: str = "",
    use: str = "",
) -> Callable[[Change], Change]:
    """Register a way to break a draft under the group of its component."""

    def register(change: Change) -> Change:
        name = change.__name__.replace("_", " ")
        components = (blamed,) if isinstance(blamed, str) else blamed
        made = Operator(
            name, group, change, components, checks, severity, base, unseen=unseen, use=use
        )
        OPERATORS.append(made)
        return change

    return register


def neutral(change: Change) -> Change:
    """Register a change that no check may speak of."""
    name = change.__name__.replace("_", " ")
    OPERATORS.append(Operator(name, "neutral", change, base=True, neutral=True))
    return change
