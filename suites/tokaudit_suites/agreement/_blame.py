"""Find the cause of different ids of two representations: a component, or an engine's rules.

An engine changes some texts of its own accord, whatever the file says.  The same file is run twice
by the reference: by the engine's rules, and as its converter meant it.  Where the two differ no
other file would do better, so a folder and its GGUF file are not to blame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.plugin import Tokenizer
from tokaudit_suites.shared.run_copies import Copy

MODEL, PRE_TOKENIZER, NORMALIZER = "model", "pre_tokenizer", "normalizer"
MARK = "▁"


def blamed(one: Copy, other: Copy, text: str) -> str:
    """Return the first stage whose output differs, as the reference traces the text.

    What is put before a text and what spaces become is the normalizer's in one format and the
    pre-tokenizer's in the other, so only what the model is given is compared.
    """
    if one.traces is None or other.traces is None:
        return MODEL
    given = [copy.given(text) for copy in (one, other)]
    if "".join(given[0]) != "".join(given[1]):
        return NORMALIZER
    return PRE_TOKENIZER if _cuts(given[0]) != _cuts(given[1]) else MODEL


def _cuts(pieces: Sequence[str]) -> set[int]:
    """Return the offsets where pieces begin, except before a mark: models cut there themselves.

    >>> _cuts(["▁a", "▁b", "1"])
    {4}
    """
    found, at = set(), 0
    for piece in pieces:
        if at and not piece.startswith(MARK):
            found.add(at)
        at += len(piece)
    return found


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
