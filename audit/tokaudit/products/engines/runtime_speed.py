"""Speed of a runtime on real text, relative to the reference in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

from tokaudit.engine.samples import Sample
from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.report.recorded import RuntimeSpeed
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.worker.client import WorkerTokenizer

SHARE = 4  # one text of so many
ROUNDS = 3
LONG = 50_000  # characters


def speed_of(
    samples: Sequence[Sample], runtime: WorkerTokenizer, yardstick: WorkerTokenizer
) -> RuntimeSpeed | None:
    """Measure characters per second: single texts, a batch, a long text; None on failure."""
    texts = [text for sample in samples for text in sample.sentences[::SHARE]]
    long = ["\n".join(texts)[:LONG]]
    try:
        single = _rate(runtime, texts, EncodeOptions(alone=True))
        batch = _rate(runtime, texts, EncodeOptions()) if "batch" in runtime.capabilities else 0.0
        own = _rate(runtime, long, EncodeOptions(alone=True))
        theirs = _rate(yardstick, texts, EncodeOptions())
    except UpstreamTrouble:
        return None
    return RuntimeSpeed(single, batch, own, single / theirs if theirs else 0.0)


def _rate(encoder: WorkerTokenizer, texts: Sequence[str], options: EncodeOptions) -> float:
    """Return the median rate over several rounds without the first."""
    took = [_seconds(lambda: encoder.encode(texts, options)) for _ in range(ROUNDS + 1)][1:]
    return sum(map(len, texts)) / max(median(took), 1e-9)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
