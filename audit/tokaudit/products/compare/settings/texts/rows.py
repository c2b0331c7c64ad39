"""Encodings of a text on both sides, as evidence of a differing setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.report.model import Evidence

Values = Mapping[str, tuple[Any, Any]]
"""Key -> what each side takes."""


def differing_rows(
    text: str, trial: Trial, ids: Sequence[Sequence[int]], pair: EncoderPair, what: str
) -> Evidence | None:
    """Return the ids of both sides as rows; None if they are equal."""
    sides = (trial.left, trial.right)
    rows = [TokenRow(side.name, own, side.names) for side, own in zip(sides, ids, strict=True)]
    note = f"run by {pair.who}, {what}"
    return None if list(ids[0]) == list(ids[1]) else two_rows(text, rows[0], rows[1], note)


def encoded(text: str, pair: EncoderPair) -> list[tuple[int, ...]] | None:
    """Encode a text on both sides; None if one fails."""
    both = [each.encode([text])[0] for each in (pair.left, pair.right)]
    return None if any(each.error for each in both) else [each.ids for each in both]
