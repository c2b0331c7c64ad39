"""What some conversions of transformers do to a text before the character map of its model.

The classes of ALBERT, XLNet, RemBERT and FNet change quotes and, unless a setting keeps them,
accents and capital letters; their conversion to `tokenizer.json` writes these steps down, and does
not strip the end of a text as SentencePiece does.  ALBERT's and XLNet's also take 100 from the
score of each piece that ends in a digit and a comma, to cut the two apart as the slow class does.
So both files of every such repository part on some texts, and agree on all others.

Source: `normalizer` and `vocab` of AlbertConverter, XLNetConverter and RemBertConverter in
`convert_slow_tokenizer.py` of Hugging Face's transformers 4.57.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from functools import partial

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers.lowercase import Lowercase
from tokaudit_reference.steps.normalizers.nfkd import NFKD
from tokaudit_reference.steps.normalizers.precompiled import Precompiled
from tokaudit_reference.steps.normalizers.replace import Replace
from tokaudit_reference.steps.normalizers.strip_accents import StripAccents
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.step import Step

QUOTES = tuple(Replace(Pattern(two), '"') for two in ("``", "''"))
ACCENTS, CAPITALS = StripAccents(), Lowercase()
SPACES = Replace(Pattern(" {2,}", is_regex=True), " ")
NUMBER_COMMA, LOWERED = re.compile(r"\d,"), 100
WRITTEN = (*QUOTES, NFKD(), ACCENTS, CAPITALS, SPACES)
"""The steps that a conversion may write in addition to the map of characters."""


def changed_by_conversion(one: TokenizerSpec, other: TokenizerSpec) -> Callable[[str], bool] | None:
    """Which texts the conversion changes, where one spec is so converted from the other's model.

    None where neither is, or where the character maps are not the same.
    """
    for fast, slow in ((one, other), (other, one)):
        steps = fast.normalizer.steps
        maps = [charsmap for step in slow.normalizer.steps if (charsmap := _map(step)) is not None]
        if maps and fast.format != slow.format and _is_written_so(steps, maps[0]):
            return partial(_is_changed, steps, commas=_lowers_commas(fast, slow))
    return None


def _lowers_commas(fast: TokenizerSpec, slow: TokenizerSpec) -> bool:
    """Whether the pieces that end in a digit and a comma are scored lower, as the classes do it."""
    ids = {p.value: id for id, p in fast.pieces.items() if NUMBER_COMMA.search(str(p.value)[-2:])}
    both = [(ids[p.value], id) for id, p in slow.pieces.items() if p.value in ids]
    lower = [slow.scores.get(id, 0) - fast.scores.get(own, 0) for own, id in both]
    return bool(lower) and all(abs(by - LOWERED) < 1 for by in lower)


def _is_written_so(steps: Sequence[Step], charsmap: str) -> bool:
    known = (*WRITTEN, Precompiled(charsmap))
    mapped = any(_map(step) is not None for step in steps)
    begins = tuple(steps[: len(QUOTES)]) == QUOTES
    return begins and mapped is bool(charsmap) and all(step in known for step in steps)


def _map(step: Step) -> str | None:
    """The map of characters that a step has, which is one of SentencePiece's; None where not."""
    return getattr(step, "precompiled_charsmap", None)


def _is_changed(steps: Collection[object], text: str, *, commas: bool = False) -> bool:
    """Whether a text has what the steps change, or white space that SentencePiece drops.

    >>> _is_changed([ACCENTS], "a b"), _is_changed([ACCENTS], "\u00e0")
    (False, True)
    >>> _is_changed([], "a b "), _is_changed([], "``a''"), _is_changed([CAPITALS], "A")
    (True, True, True)
    >>> _is_changed([], "5,"), _is_changed([], "5,", commas=True)
    (False, True)
    """
    if commas and NUMBER_COMMA.search(text):
        return True
    if text != " ".join(text.split()) or any(two.pattern.text in text for two in QUOTES):
        return True
    if CAPITALS in steps and text != text.lower():
        return True
    marked = any(unicodedata.category(character).startswith("M") for character in text)
    return ACCENTS in steps and (marked or text != unicodedata.normalize("NFKD", text))
