"""Checks that the user's own documents survive encoding and decoding."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.providers.corpus import CorpusCounts
from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    Skip,
    Upstream,
    Worse,
    check,
    wilson,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.round_trip._lost_texts import is_lost, lost_finding, outputs
from tokaudit_suites.round_trip._promise import promised
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE

MOST_FILES = 200  # with one figure each


@check(
    "round_trip/corpus",
    title="The user's own documents come back",
    why="Random texts show which text a tokenizer may lose; a corpus shows how much of your own "
    "text the tokenizer loses.",
    incident="An export left out the decoder (huggingface/transformers PR#34319).",
    remedy="In {file|the tokenizer file}, add the decoder or the normalizer that belongs to this "
    "vocabulary.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    measures=(
        Measured("round_trip/corpus_changed", Worse.HIGHER),
        Measured("round_trip/corpus_refused", Worse.HIGHER),
    ),
    no_example="It reads a corpus, which no example has; the tests write one that is lost.",
)
def corpus(
    spec: TokenizerSpec, upstream: Upstream, counts: CorpusCounts
) -> Iterator[Finding | Measurement]:
    """Measure the share of changed documents, and report the shortest changed text."""
    total = counts.total
    for name, file in list(counts.files.items())[:MOST_FILES]:
        for key, title, hits, n in (
            ("changed", "Documents that do not come back", file.lost, file.came_back),
            ("refused", "Documents that are not encoded", file.refused, file.documents),
        ):
            if n:
                yield Measurement(
                    f"round_trip/corpus_{key}",
                    title,
                    hits / n,
                    "share",
                    n,
                    f"every document, by {counts.run_by}",
                    wilson(hits, n),
                    {"corpus": name},
                )
    if total.documents and not total.came_back:
        raise Skip(f"{counts.run_by} decodes no document")
    expected = promised(spec)
    texts = [each.text for each in total.examples]
    came_back = outputs(upstream, upstream.encode(texts))
    lost = [t for t, o in zip(texts, came_back, strict=True) if is_lost(o, expected(t))]
    if not total.documents:
        raise NotApplicable("the corpus has no documents")
    if lost:
        yield lost_finding(
            spec, upstream, expected, lost, (total.lost, total.came_back), "documents of the corpus"
        )
