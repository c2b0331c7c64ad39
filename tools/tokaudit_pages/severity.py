"""The page of severities, with its table of harms.

The tables of checks, with which it ends, are made with the site, so that a check is listed nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.engine.check import Check
from tokaudit.engine.harms import WEIGHTS, exceeds, worst
from tokaudit.report.model import Harm
from tokaudit_tools.tables import table

HEAD = """\
# How severe a finding is

Each cause that a check can name has a *harm*: what the fault does to users of the checkpoint. The
harm chooses the severity, as far as the evidence allows it. `tokaudit checks ID` says which a check
has.

A fault is *shown* if a text was run that shows it, if two files contradict each other, or if a
named loader refuses the file. An id without a row in the matrix is such a contradiction.
Everything else is *suspected*: an unusual order, score or share, something absent, or the
behaviour of a loader that you did not name. It is at most a warning, however bad it would be. A
finding that only explains another, or that names what published tokenizers do on purpose, is
information."""
GROUPS = """\
## The checks, by the worst that they find

A check in *italics* is milder than its harm; the next table says why."""
MILDER = """\
## Milder than their harm

What these checks find is never shown in the sense above, or hurts only some readers."""


def page() -> str:
    """Markdown: what a harm is, and what each allows."""
    return f"{HEAD}\n\n{_harms()}"


def tables_of_checks(checks: Sequence[Check]) -> str:
    """Markdown: the checks of each harm, and those that are milder than their harm."""
    harming = [check for check in checks if check.harm is not None]
    return f"{GROUPS}\n\n{_groups(harming)}\n{MILDER}\n\n{_milder(harming)}"


def held_back(check: Check) -> bool:
    """Whether the severity of a check is below what its harm allows."""
    return check.harm is not None and exceeds(worst(check.harm), check.severity)


def _harms() -> str:
    rows = [(harm, each.means, each.shown, each.suspected) for harm, each in WEIGHTS.items()]
    return table(("harm", "what it does", "shown", "suspected"), rows)


def _groups(checks: Sequence[Check]) -> str:
    rows = [(harm, ", ".join(_name(c) for c in checks if c.harm is harm)) for harm in Harm]
    return table(("harm", "checks"), rows)


def _name(check: Check) -> str:
    return f"*{check.id}*" if held_back(check) else check.id


def _milder(checks: Sequence[Check]) -> str:
    rows = [(c.id, c.severity, c.milder) for c in checks if held_back(c) and c.milder]
    return table(("check", "at most", "because"), rows)
