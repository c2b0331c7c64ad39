"""Stages of two subjects on differing texts, kept for the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.engine.outcome.tracing import LONGEST, part_of
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.products.compare.work.prepared import Compared
from tokaudit.report.comparison import Comparison
from tokaudit.report.recorded import TracedBySides, TracedPart
from tokaudit.runtimes.worker.client import WorkerTokenizer

MOST_TEXTS = 12  # of all comparisons of a report, so that the page stays small
FEWEST_TEXTS = 2  # of one comparison among many


def with_traces(found: Sequence[Comparison], sides: Sequence[Compared]) -> list[Comparison]:
    """Add the stages of both sides to each comparison with the first side.

    The texts are those that facets and the corpus show, each facet's first text before the second
    of any.
    """
    most = max(FEWEST_TEXTS, MOST_TEXTS // max(1, len(found)))
    return [
        replace(each, traces=tuple(_traced(each, sides[0], other, most)))
        for each, other in zip(found, sides[1:], strict=True)
    ]


def _traced(
    found: Comparison, left: Compared, right: Compared, most: int
) -> Iterator[TracedBySides]:
    for text in _texts(found)[:most]:
        one, other = (_stages(side.reference, text) for side in (left, right))
        if one is not None or other is not None:
            yield TracedBySides(text, one, other)


def _texts(found: Comparison) -> list[str]:
    shown = [found.minimal] if found.minimal else []
    for at in range(max((len(facet.evidence) for facet in found.facets), default=0)):
        shown += [facet.evidence[at] for facet in found.facets if at < len(facet.evidence)]
    shown += [evidence for part in found.corpus for evidence in part.worst]
    texts = [each.text for each in shown if each.kind == "text" and each.text]
    return [text for text in dict.fromkeys(texts) if len(text) <= LONGEST]


def _stages(reference: WorkerTokenizer | None, text: str) -> tuple[TracedPart, ...] | None:
    """Return the stages of one side; None without a reference, or if the text crashes it."""
    if reference is None:
        return None
    try:
        return tuple(map(part_of, reference.trace(text)))
    except (UpstreamTrouble, OutOfTime):
        return None
