"""Compare two encoders' results for the probe texts, and shrink the first difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tokaudit.engine.evidence import TokenRow, differing, two_rows
from tokaudit.engine.texts.shrink import minimise
from tokaudit.report.comparison import Comparison, Relation
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import Encoding, Tokenizer

SHOWN = 5  # texts that one side refuses


@dataclass(frozen=True)
class NamedEncoder:
    """One of two encoders: its name, itself, and its results for each text.

    `names` are its own, and empty where it has no vocabulary; `file` is where that is stated.
    """

    label: str
    tokenizer: Tokenizer
    encodings: Sequence[Encoding]
    names: Mapping[int, str] = field(default_factory=dict)
    file: str = ""


def compare(texts: Sequence[str], left: NamedEncoder, right: NamedEncoder) -> Comparison:
    """Count the texts that both encode, and those that differ, with a minimal text.

    The encoders themselves are asked again only to shrink.
    """
    different: list[str] = []
    refused: list[str] = []
    failed = 0
    for text, one, other in zip(texts, left.encodings, right.encodings, strict=True):
        if one.error is not None or other.error is not None:
            failed += 1
            refused += [text] if one.error is None else []
        elif one.ids != other.ids:
            different.append(text)
    compared = len(texts) - failed
    plainest = min(different, key=length_then_print, default="")
    minimal = _minimal(left, right, plainest) if different else None
    same = Relation.UNDIFFERING if compared else Relation.UNKNOWN
    relation = Relation.DIFFERENT if different else same
    return Comparison(
        left.label,
        right.label,
        compared,
        len(different),
        relation,
        minimal,
        left_file=left.file,
        right_file=right.file,
        refused=tuple(sorted(refused, key=length_then_print)[:SHOWN]),
    )


def length_then_print(text: str) -> tuple[int, int]:
    """Sort by length, then by printable characters first."""
    return len(text), sum(not character.isprintable() for character in text)


def _minimal(left: NamedEncoder, right: NamedEncoder, text: str) -> Evidence:
    one, other = left.tokenizer, right.tokenizer
    small = minimise(text, lambda texts: differing(one, other, texts))
    rows = [
        TokenRow(side.label, side.tokenizer.encode([small])[0].ids, side.names)
        for side in (left, right)
    ]
    return two_rows(small, rows[0], rows[1], "minimal text", minimal=True)
