"""The harm of a fault to users, and how severe that makes it: `docs/severity.md` is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.report.model import Harm, Severity


@dataclass(frozen=True, slots=True)
class Weight:
    """The meaning of one harm, and the severity of what is shown and of what is only suspected."""

    means: str
    shown: Severity
    suspected: Severity


WEIGHTS: Mapping[Harm, Weight] = {
    Harm.CRASH: Weight(
        "A call stops, or takes a row or a position that is not there or is not a number.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.OTHER_IDS: Weight(
        "Text becomes other ids, or ids become other text, than by the files of record.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.OTHER_PROMPT: Weight(
        "The model is prompted or stopped differently from what it was made for.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.LEAK: Weight(
        "Something passes that must not: words of users as markers, code of the files, private "
        "names.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.COST: Weight(
        "Rows, tokens or time are spent for nothing.", Severity.WARNING, Severity.INFO
    ),
    Harm.STYLE: Weight("Nothing changes; it is worth knowing.", Severity.INFO, Severity.INFO),
}


def worst(harm: Harm) -> Severity:
    """The severity of a fault that was shown."""
    return WEIGHTS[harm].shown


def exceeds(severity: Severity, most: Severity) -> bool:
    """Return whether a severity is above another.

    >>> exceeds(Severity.ERROR, worst(Harm.COST)), exceeds(Severity.INFO, worst(Harm.STYLE))
    (True, False)
    """
    return severity.rank < most.rank
