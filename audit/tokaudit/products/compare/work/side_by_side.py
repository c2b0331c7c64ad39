"""Two tokenizers side by side: costs, and shared entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokaudit.engine.encoders.lost_text import MOST_LOST, lost_share
from tokaudit.engine.measure import interval, ratio_of_sums
from tokaudit.engine.samples import Sample, Samples
from tokaudit.engine.vocabularies.shared import shared_entries
from tokaudit.report.comparison import Cost, Rate, SideBySide
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_reference.spec import TokenizerSpec


@dataclass(frozen=True)
class Running:
    """A side, and its encoder."""

    spec: TokenizerSpec
    encoder: WorkerTokenizer


def side_by_side(
    left: Running, right: Running, run_by: str, samples: Samples, seed: int
) -> SideBySide:
    """Measure the costs of languages and domains on both sides, and shared entries."""

    def costs(kind: str) -> tuple[Cost, ...]:
        return tuple(cost(sample, left, right, seed) for sample in samples.of_kind(kind))

    by_script, by_length = shared_entries(left.spec, right.spec)
    return SideBySide(run_by, costs("language"), costs("domain"), by_script, by_length)


def cost(sample: Sample, left: Running, right: Running, seed: int) -> Cost:
    """Measure the cost of a sample's texts, without those that a side refuses."""
    both = [_encoded(side, sample.sentences) for side in (left, right)]
    rows = [
        (text, one, other)
        for text, one, other in zip(sample.sentences, *both, strict=True)
        if one.error is None and other.error is None
    ]
    texts = [text for text, _, _ in rows]
    ours, theirs = [one for _, one, _ in rows], [other for _, _, other in rows]
    characters = [float(len(text)) for text in texts]
    kept = _keeps(left, texts, ours), _keeps(right, texts, theirs)
    first, second = _counts(ours), _counts(theirs)
    return Cost(
        sample.language,
        sample.name,
        len(texts),
        _rate(first, characters, seed) if kept[0] else None,
        _rate(second, characters, seed) if kept[1] else None,
        _rate(second, first, seed) if all(kept) else None,
    )


def _encoded(side: Running, texts: Sequence[str]) -> list[Encoding]:
    wanted = EncodeOptions(offsets="offsets" in side.encoder.capabilities)
    return side.encoder.encode(texts, wanted)


def _keeps(side: Running, texts: Sequence[str], encodings: Sequence[Encoding]) -> bool:
    """Return whether a side keeps its input, so that its tokens are a cost."""
    return lost_share(texts, encodings, side.spec.unk_id) <= MOST_LOST


def _counts(encodings: Iterable[Encoding]) -> list[float]:
    return [float(len(found.ids)) for found in encodings]


def _rate(tops: Sequence[float], bottoms: Sequence[float], seed: int) -> Rate | None:
    if not sum(tops) or not sum(bottoms):
        return None
    return Rate(ratio_of_sums(tops, bottoms), interval(tops, bottoms, seed))
