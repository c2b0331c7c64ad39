"""Harms of faults to users, and the severity of each; the source of `docs/severity.md`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.report.model import Harm, Severity


@dataclass(frozen=True, slots=True)
class Weight:
    """The meaning of a harm, and its severity if shown and if only suspected."""

    means: str
    shown: Severity
    suspected: Severity


WEIGHTS: Mapping[Harm, Weight] = {
    Harm.CRASH: Weight(
        "A call stops, or reads a row or a position that does not exist or is not a number.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.OTHER_IDS: Weight(
        "Text gets different ids, or ids different text, than the files of record state.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.OTHER_PROMPT: Weight(
        "The model is prompted or stopped differently from what it was made for.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.LEAK: Weight(
        "Something gets through: markers in users' words, code in the files, private names.",
        Severity.ERROR,
        Severity.WARNING,
    ),
    Harm.COST: Weight("Rows, tokens or time are wasted.", Severity.WARNING, Severity.INFO),
    Harm.STYLE: Weight("Nothing changes; it is worth knowing.", Severity.INFO, Severity.INFO),
}


def worst(harm: Harm) -> Severity:
    """Return the severity of a proved fault with this harm."""
    return WEIGHTS[harm].shown


def exceeds(severity: Severity, most: Severity) -> bool:
    """Return whether a severity is above another.

    >>> exceeds(Severity.ERROR, worst(Harm.COST)), exceeds(Severity.INFO, worst(Harm.STYLE))
    (True, False)
    """
    return severity.rank < most.rank
