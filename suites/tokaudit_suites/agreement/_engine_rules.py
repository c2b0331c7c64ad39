"""Changes that an engine makes to text by its own rules, whatever the file says.

The same file is run twice by the reference: by the engine's rules, and as its converter meant it.
Where the two differ no other file would do better, so a folder and its GGUF file are not to blame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.plugin import Tokenizer
from tokaudit_suites.shared.run_copies import Copy


@dataclass(frozen=True)
class EngineRules:
    """One file run by the reference, with and without the rules of its engine."""

    ruled: Tokenizer
    meant: Tokenizer

    def cut_otherwise(self, texts: Sequence[str]) -> list[bool]:
        """Mark the texts whose ids the engine's rules change."""
        both = zip(self.ruled.encode(texts), self.meant.encode(texts), strict=True)
        return [one.ids != other.ids for one, other in both]

    def decoded_otherwise(self, texts: Sequence[str]) -> list[bool]:
        """Mark the texts whose decoded text the engine's rules change, given the same ids."""
        ids = [found.ids for found in self.ruled.encode(texts)]
        both = zip(self.ruled.decode(ids), self.meant.decode(ids), strict=True)
        return [one != other for one, other in both]


def rules_of(copy: Copy) -> EngineRules | None:
    """Return the rules of the engine that runs a copy, or None if it has none."""
    ruled = copy.reference.tokenizer
    return EngineRules(ruled, copy.meant) if ruled is not None and copy.meant is not None else None
