"""Find the component that makes two representations differ on a text."""

from __future__ import annotations

from collections.abc import Sequence

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
