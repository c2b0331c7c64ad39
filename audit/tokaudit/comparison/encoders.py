"""Compares what two encoders gave for the probe texts, and shrinks the first difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.comparison.evidence import differing, text_evidence, token_names
from tokaudit.comparison.shrink import minimise
from tokaudit.report.model import Comparison, Evidence
from tokaudit.runtimes.protocol import Encoding, Tokenizer
from tokaudit_reference.spec import TokenizerSpec


@dataclass(frozen=True)
class Side:
    """One of two encoders: what to call it, itself, and what it gave for each text."""

    label: str
    tokenizer: Tokenizer
    encodings: Sequence[Encoding]


def compare(texts: Sequence[str], left: Side, right: Side, spec: TokenizerSpec) -> Comparison:
    """How many texts both encode, and to different ids; with a minimal text of the first.

    The encoders themselves are asked again only to shrink; `spec` has the names of the ids.
    """
    different: list[str] = []
    failed = 0
    for text, one, other in zip(texts, left.encodings, right.encodings, strict=True):
        if one.error is not None or other.error is not None:
            failed += 1
        elif one.ids != other.ids:
            different.append(text)
    compared = len(texts) - failed
    plainest = min(different, key=_length_then_print, default="")
    minimal = _minimal(left, right, plainest, spec) if different else None
    relation = "different" if different else "identical" if compared else "unknown"
    return Comparison(left.label, right.label, compared, len(different), relation, minimal)  # type: ignore[arg-type]


def _length_then_print(text: str) -> tuple[int, int]:
    """The shortest text first, and of equals the one that shows best on paper."""
    return len(text), sum(not character.isprintable() for character in text)


def _minimal(left: Side, right: Side, text: str, spec: TokenizerSpec) -> Evidence:
    one, other = left.tokenizer, right.tokenizer
    small = minimise(text, lambda texts: differing(one, other, texts))
    expected, actual = (who.encode([small])[0].ids for who in (one, other))
    labels = left.label, right.label
    return text_evidence(small, expected, actual, token_names(spec), labels, note="minimal text")
