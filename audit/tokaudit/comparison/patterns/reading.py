"""Reads the `pre_tokenizer` of a tokenizer.json as the splits that the prover knows.

Known are Split, ByteLevel and Sequences of them.  All others are named in the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit.comparison.patterns.splits import BYTE_LEVEL, PreTokenizer, Split
from tokaudit.comparison.patterns.tree import Dialect
from tokaudit.comparison.patterns.verdicts import Undecidable


def read(component: Mapping[str, Any] | None) -> PreTokenizer:
    """The splits of a pre-tokenizer; raises Undecidable for what is not followed.

    >>> read({"type": "ByteLevel", "add_prefix_space": False}) == (BYTE_LEVEL,)
    True
    >>> read({"type": "BertPreTokenizer"})
    Traceback (most recent call last):
    tokaudit.comparison.patterns.verdicts.Undecidable: the pre-tokenizer BertPreTokenizer
    """
    splits, after_bytes = [], False
    for step in _steps(component, 0):
        kind = str(step.get("type"))
        if after_bytes:
            # ByteLevel puts a character for each byte, and what follows sees these.
            raise Undecidable(f"{kind} behind ByteLevel")
        if kind == "Split":
            splits.append(_split(step))
        elif kind == "ByteLevel":
            after_bytes = True
            if step.get("add_prefix_space", True):
                raise Undecidable("ByteLevel's add_prefix_space")
            splits += [BYTE_LEVEL] if step.get("use_regex", True) else []
        else:
            raise Undecidable(f"the pre-tokenizer {kind[:40]}")
    return tuple(splits)


def _steps(component: Mapping[str, Any] | None, depth: int) -> list[Mapping[str, Any]]:
    if component is None:
        return []
    if component.get("type") != "Sequence":
        return [component]
    if depth > 8:
        raise Undecidable("Sequences nested more than 8 deep")
    inner = component.get("pretokenizers") or []
    return [step for each in inner for step in _steps(each, depth + 1)]


def _split(step: Mapping[str, Any]) -> Split:
    pattern = step.get("pattern") or {}
    literal = pattern.get("String")
    return Split(
        str(pattern.get("Regex", "") if literal is None else literal),
        Dialect.ONIGURUMA,
        str(step.get("behavior", "Isolated")),
        bool(step.get("invert")),
        literal is not None,
    )
