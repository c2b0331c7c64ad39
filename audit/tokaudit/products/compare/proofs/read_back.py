"""Strings of tokens as a decoder gets them, for the checkers.

A decoder gets strings.  Hugging Face's tokenizers keeps an added token that is looked for in
normalized text as its normal form, and of entries that share an id it keeps any.  So equal steps
are the same decoder only where the strings of the tokens that both sides have are the same.
"""

from __future__ import annotations

from tokaudit.products.compare.proofs.all_entries import pieces_of
from tokaudit.products.compare.proofs.alphabet import letters_of
from tokaudit.products.compare.proofs.surface import surface
from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers import normalizer


def read_otherwise(first: TokenizerSpec, second: TokenizerSpec) -> str:
    """Explain why a shared token may be another string on one side; "" if none is."""
    if first.sharing or second.sharing:
        return "entries share an id, and each load may decode it as a different one of them"
    if any(spec.flags_twice and spec.normalizer.options for spec in (first, second)):
        return "an added token is listed twice, and any of its entries may make it a normal form"
    if first.normalizer.options == second.normalizer.options and _sought(first) == _sought(second):
        return ""
    try:
        ours, theirs = _strings(first), _strings(second)
    except (SpecError, Unsupported) as unknown:
        return f"an added token is read back as its normal form, which is unknown: {unknown}"
    for one, other, spec in ((ours, theirs, second), (theirs, ours, first)):
        entries = {letters_of(surface(spec, piece)) for piece in pieces_of(spec)}
        for content, text in one.items():
            there = other.get(content, content if content in entries else text)
            if there != text:
                return f"{content!r} is read back as its normal form on one side alone"
    return ""


def _sought(spec: TokenizerSpec) -> set[str]:
    """Return the added tokens that are matched in normalized text."""
    return {token.content for token in spec.added_tokens if token.normalized}


def _strings(spec: TokenizerSpec) -> dict[str, str]:
    """Map each added token to the string that a decoder gets."""
    sought = _sought(spec)
    run = normalizer(spec.normalizer) if sought and spec.normalizer.options else str
    return {
        t.content: run(t.content) if t.content in sought else t.content for t in spec.added_tokens
    }
