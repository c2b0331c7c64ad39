"""Steps for SentencePiece models: a map of characters, and symbols that a user defined."""

from __future__ import annotations

from typing import Any, Self

from tokaudit_reference.steps.normalizers.step import NormalizerStep
from tokaudit_reference.steps.step import Options

MAP, SYMBOLS = "precompiled_charsmap", "user_defined_symbols"


class WithSymbols(NormalizerStep):
    """The base of a step with a map and symbols, either of which may be null in a file."""

    @classmethod
    def from_json(cls, options: Options) -> Self:
        """Read the settings; a null map is empty, and so are null symbols."""
        nothing_for_null = {MAP: options.get(MAP) or "", SYMBOLS: tuple(options.get(SYMBOLS) or ())}
        return super().from_json({**options, **nothing_for_null})

    def to_json(self) -> dict[str, Any]:
        """Write the settings, with the symbols as a list."""
        found = super().to_json()
        return {**found, SYMBOLS: list(found[SYMBOLS])}
