"""How fast does the vendor encode, against a yardstick in the same run?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import as_file, files
from statistics import median

from tokaudit.engine.check import check
from tokaudit.engine.needs import Vendor
from tokaudit.engine.providers import Workers
from tokaudit.errors import Skip
from tokaudit.report.model import Basis, Measurement, Severity
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_suites.fertility.sample_texts import load

ROUNDS = 5
YARDSTICK = "yardstick.json"


@check(
    "throughput/encode",
    title="Encoding speed, one thread, against the built-in yardstick",
    why="A slow pre-tokenizer is found in production by its bill; the ratio holds on any machine.",
    remedy="Simplify the split pattern, or cut long runs before encoding.",
    severity=Severity.INFO,
    basis=Basis.INTRINSIC,
    alone=True,
)
def encode(vendor: Vendor, workers: Workers) -> Iterator[Measurement]:
    """Characters per second of both, and the median of the ratios of alternating rounds."""
    subject = workers.opened["vendor"]
    texts = [text for sample in load() for text in sample.sentences]
    yardstick, digest = _yardstick(workers)
    rounds = [_round(subject, yardstick, texts) for _ in range(ROUNDS + 1)][1:]  # one warm-up
    label = f"yardstick-{digest}+tokenizers-{yardstick.info.version}"
    characters = sum(map(len, texts))
    ratios = sorted(mine / theirs for mine, theirs in rounds)
    method = "alternating rounds on the built-in sample, inside the worker, median"
    yield Measurement(
        f"throughput/time_ratio@{label}", median(ratios), "x", ROUNDS, method,
        (ratios[0], ratios[-1]),
    )  # fmt: skip
    for who, index in (("vendor", 0), ("yardstick", 1)):
        yield Measurement(
            f"throughput/characters_per_second@{label}",
            characters / median(pair[index] for pair in rounds),
            "characters/s",
            ROUNDS,
            method,
            dimensions={"who": who},
        )


def _yardstick(workers: Workers) -> tuple[WorkerTokenizer, str]:
    """The 8k byte-level tokenizer that ships with the suite, and the first of its hash."""
    resource = files("tokaudit_suites.throughput").joinpath(YARDSTICK)
    digest = hashlib.sha256(resource.read_bytes()).hexdigest()[:8]
    with as_file(resource) as path:
        return workers.open("yardstick", LoadRequest("tokenizers", str(path))), digest


def _round(
    subject: WorkerTokenizer, yardstick: WorkerTokenizer, texts: list[str]
) -> tuple[float, float]:
    mine, theirs = (who.timed_encode(texts, 1)[0] for who in (subject, yardstick))
    if not theirs or not mine:
        raise Skip("the clock of this machine is too coarse to time the encoder")
    return mine, theirs
