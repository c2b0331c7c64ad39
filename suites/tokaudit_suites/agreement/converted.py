"""What some conversions of transformers do to a text before the character map of its model.

The classes of ALBERT, XLNet, RemBERT and FNet change quotes and, unless a setting keeps them,
accents and capital letters; their conversion to `tokenizer.json` writes these steps down, and does
not strip the end of a text as SentencePiece does.  So both files of every such repository part on
some texts, and agree on all others.

Source: `normalizer` of AlbertConverter, XLNetConverter and RemBertConverter in
`convert_slow_tokenizer.py` of Hugging Face's transformers 4.57.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers.lowercase import Lowercase
from tokaudit_reference.steps.normalizers.nfkd import NFKD
from tokaudit_reference.steps.normalizers.precompiled import Precompiled
from tokaudit_reference.steps.normalizers.replace import Replace
from tokaudit_reference.steps.normalizers.sentencepiece import SentencePiece
from tokaudit_reference.steps.normalizers.strip_accents import StripAccents

QUOTES = ("``", "''")
WRITTEN = (Replace, NFKD, StripAccents, Lowercase, Precompiled)


def changed_by_conversion(one: TokenizerSpec, other: TokenizerSpec) -> Callable[[str], bool] | None:
    """Which texts the conversion changes, where one spec is so converted from the other's model.

    None where neither is, or where the character maps are not the same.
    """
    for fast, slow in ((one, other), (other, one)):
        steps = fast.normalizer.steps
        models = [step for step in slow.normalizer.steps if isinstance(step, SentencePiece)]
        if models and _is_written_so(steps) and _map(steps) == models[0].precompiled_charsmap:
            return partial(_is_changed, {type(step) for step in steps})
    return None


def _is_written_so(steps: Sequence[object]) -> bool:
    first = [step.pattern.text for step in steps[:2] if isinstance(step, Replace)]
    return first == list(QUOTES) and all(isinstance(step, WRITTEN) for step in steps)


def _map(steps: Sequence[object]) -> str:
    found = (step.precompiled_charsmap for step in steps if isinstance(step, Precompiled))
    return next(found, "")


def _is_changed(kinds: set[type[object]], text: str) -> bool:
    """Whether a text has what the steps change, or white space that SentencePiece drops.

    >>> _is_changed({StripAccents}, "a b"), _is_changed({StripAccents}, "\u00e0")
    (False, True)
    >>> _is_changed(set(), "a b "), _is_changed(set(), "``a''"), _is_changed({Lowercase}, "A")
    (True, True, True)
    """
    if text != " ".join(text.split()) or any(quote in text for quote in QUOTES):
        return True
    if Lowercase in kinds and text != text.lower():
        return True
    marked = any(unicodedata.category(character).startswith("M") for character in text)
    return StripAccents in kinds and (marked or text != unicodedata.normalize("NFKD", text))
