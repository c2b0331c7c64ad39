"""Stages of the reference for the texts of findings, for the report."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from tokaudit.engine.collected import Answered, Collector
from tokaudit.engine.needs import Reference
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip, UpstreamTrouble
from tokaudit.report.model import CheckResult, TokenView
from tokaudit.report.recorded import TracedPart, TracedPiece, TracedText
from tokaudit_reference.trace import TracedPiece as PieceStages
from tokaudit_reference.trace import TracedSegment

CURATED = ("Hello, world!", "don't  stop\n2024", "naïve café 日本 🙂")
MOST_TEXTS = 12
LONGEST = 120  # characters of a text
MOST_PIECES = 24  # of one text
MOST_MERGES = 16  # of one piece


def traces_of(reference: Reference, workers: Workers, answered: Answered) -> tuple[TracedText, ...]:
    """Trace the texts of findings, and some built-in ones, if the reference was run anyway."""
    found: list[TracedText] = []
    with suppress(Skip, NotApplicable, UpstreamTrouble):  # the texts before it keep their traces
        for text in _texts(answered.results):
            stages = workers.opened["reference"].trace(text)
            found.append(TracedText(text, tuple(map(part_of, stages))))
    return tuple(found)


TRACES = Collector("traces", traces_of)


def _texts(results: Iterable[CheckResult]) -> list[str]:
    evidence = (e for result in results for f in result.findings for e in f.evidence)
    shown = [e.text for e in evidence if e.kind == "text" and e.text and len(e.text) <= LONGEST]
    return list(dict.fromkeys([*CURATED, *shown]))[: MOST_TEXTS + len(CURATED)]


def part_of(segment: TracedSegment) -> TracedPart:
    """Return an added token or a text segment from a worker, shortened."""
    pieces = tuple(map(_piece, segment.pieces[:MOST_PIECES]))
    return TracedPart(segment.text, segment.added_id, segment.normalized, pieces)


def _piece(piece: PieceStages) -> TracedPiece:
    merges = tuple((merge.left, merge.right) for merge in piece.merges[:MOST_MERGES])
    tokens = tuple(TokenView(token.id, token.token) for token in piece.tokens)
    return TracedPiece(piece.text, merges, tokens)
