"""Holds two encoders against each other over the probe texts and shrinks the first difference."""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.comparison.evidence import differing, text_evidence
from tokaudit.comparison.shrink import minimise
from tokaudit.report.model import Comparison, Evidence
from tokaudit.runtimes.protocol import Tokenizer

ASKED_AT_ONCE = 1024


def compare_encoders(
    left: Tokenizer,
    right: Tokenizer,
    texts: Sequence[str],
    names: dict[int, str],
    labels: tuple[str, str],
) -> Comparison:
    """How many texts both encode, and to different ids; with a minimal text of the first.

    `names` gives the pieces to show for ids, `labels` what to call the two encoders.
    """
    different: list[str] = []
    failed = 0
    for start in range(0, len(texts), ASKED_AT_ONCE):
        chunk = texts[start : start + ASKED_AT_ONCE]
        a, b = left.encode(chunk), right.encode(chunk)
        for text, one, other in zip(chunk, a, b, strict=True):
            if one.error is not None or other.error is not None:
                failed += 1
            elif one.ids != other.ids:
                different.append(text)
    compared = len(texts) - failed
    plainest = min(different, key=_length_then_print, default="")
    minimal = _minimal(left, right, plainest, names, labels) if different else None
    relation = "different" if different else "identical" if compared else "unknown"
    return Comparison(labels[0], labels[1], compared, len(different), relation, minimal)  # type: ignore[arg-type]


def _length_then_print(text: str) -> tuple[int, int]:
    """The shortest text first, and of equals the one that shows best on paper."""
    return len(text), sum(not character.isprintable() for character in text)


def _minimal(
    left: Tokenizer,
    right: Tokenizer,
    text: str,
    names: dict[int, str],
    labels: tuple[str, str],
) -> Evidence:
    small = minimise(text, lambda texts: differing(left, right, texts))
    expected, actual = (who.encode([small])[0].ids for who in (left, right))
    return text_evidence(small, expected, actual, names, labels, note="minimal text")
