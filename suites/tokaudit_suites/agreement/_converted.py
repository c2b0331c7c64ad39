"""Texts that some transformers conversions change before the character map applies.

Some classes change quotes, accents and capital letters, and lower some scores; their conversion to
`tokenizer.json` writes these steps down (`subject/upstream/conversions.toml`), and does not strip
the end of a text as SentencePiece does.  So both files of every such repository part on some texts,
and agree on all others.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Sequence
from functools import partial

from tokaudit.subject.upstream.conversion import (
    ACCENTS,
    CAPITALS,
    QUOTES,
    lowered_commas,
    quotes,
    written_normalizers,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers.precompiled import Precompiled
from tokaudit_reference.steps.step import Step


def changed_by_conversion(one: TokenizerSpec, other: TokenizerSpec) -> Callable[[str], bool] | None:
    """Return a test for texts that the conversion changes, if one spec is converted from the other.

    None where neither is, or where the character maps are not the same.
    """
    for fast, slow in ((one, other), (other, one)):
        steps = fast.normalizer.steps
        maps = [charsmap for step in slow.normalizer.steps if (charsmap := _map(step)) is not None]
        if maps and fast.format != slow.format and _is_written_so(steps, maps[0]):
            return partial(_is_changed, steps, commas=_lowers_commas(fast, slow))
    return None


def _lowers_commas(fast: TokenizerSpec, slow: TokenizerSpec) -> bool:
    """Return whether pieces that end in a digit and a comma have scores lowered by the classes."""
    known = lowered_commas()
    ids = {p.value: id for id, p in fast.each_entry() if known.ends_in.search(str(p.value)[-2:])}
    both = [(ids[p.value], id) for id, p in slow.each_entry() if p.value in ids]
    lower = [slow.scores.get(id, 0) - fast.scores.get(own, 0) for own, id in both]
    return bool(lower) and all(abs(by - known.lower_by) < 1 for by in lower)


def _is_written_so(steps: Sequence[Step], charsmap: str) -> bool:
    written = written_normalizers()
    known = (*(step for each in written.values() for step in each), Precompiled(charsmap))
    mapped = any(_map(step) is not None for step in steps)
    begins = tuple(steps[: len(written[QUOTES])]) == written[QUOTES]
    return begins and mapped is bool(charsmap) and all(step in known for step in steps)


def _map(step: Step) -> str | None:
    """Return the SentencePiece character map of a step, or None if it has none."""
    return getattr(step, "precompiled_charsmap", None)


def _is_changed(steps: Collection[object], text: str, *, commas: bool = False) -> bool:
    """Return whether the steps change a text, or SentencePiece drops some of its white space.

    >>> accents, capitals = (written_normalizers()[each] for each in (ACCENTS, CAPITALS))
    >>> _is_changed(accents, "a b"), _is_changed(accents, "\u00e0")
    (False, True)
    >>> _is_changed([], "a b "), _is_changed([], "``a''"), _is_changed(capitals, "A")
    (True, True, True)
    >>> _is_changed([], "5,"), _is_changed([], "5,", commas=True)
    (False, True)
    """
    if commas and lowered_commas().ends_in.search(text):
        return True
    if text != " ".join(text.split()) or any(two in text for two in quotes()):
        return True
    if _does(CAPITALS, steps) and text != text.lower():
        return True
    marked = any(unicodedata.category(character).startswith("M") for character in text)
    return _does(ACCENTS, steps) and (marked or text != unicodedata.normalize("NFKD", text))


def _does(what: str, steps: Collection[object]) -> bool:
    return any(step in steps for step in written_normalizers()[what])
