"""What the checks of this package ask for."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.plugin import need
from tokaudit_reference.spec import TokenizerSpec


@dataclass(frozen=True)
class Alphabet:
    """The single characters that the vocabulary holds."""

    characters: frozenset[str]


@need
def alphabet(spec: TokenizerSpec) -> Alphabet:
    """Built once, for every check that asks."""
    values = (piece.value for piece in spec.pieces.values())
    return Alphabet(frozenset(v for v in values if isinstance(v, str) and len(v) == 1))
