"""What comparing a corpus costs next to the two libraries alone, and the memory of the parent.

    python benchmarks/compare_corpus.py LEFT RIGHT [--corpus FILE] [--megabytes 10]

LEFT and RIGHT are `tokenizer.json` files; FILE is a text, a document on each line.  Without it the
text is made of the built-in sentences, drawn by a seed, so that any size can be had.  Both
libraries encode the same batches alone, ids as lists, one after the other, in another process of
this run; then the comparison does.  The parent's peak memory is printed after a tenth of the text,
at most 10 MB, and at the end.

The wall ratio is of the machine as well: two processors make it less than 1, and other work next to
one of the two parts distorts it.  The ratio of processor seconds counts only what was computed.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # as in a worker

from tokaudit.engine.corpus.comparing import CorpusSide, compare_corpus
from tokaudit.engine.corpus.documents import batches, documents
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_suites.shared.sample_texts import load


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    for name in ("left", "right"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--megabytes", type=float, default=10.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        whole, start = Path(folder, "whole.txt"), Path(folder, "start.txt")
        _write(whole, _lines(given.corpus), given.megabytes * 1e6)
        _write(start, _lines(whole), min(10e6, given.megabytes * 1e5))
        with ProcessPoolExecutor(1, get_context("spawn")) as apart:  # its memory is not ours
            both = list(apart.map(_alone, (given.left, given.right), (whole, whole)))
        alone, alone_processor = (sum(part) for part in zip(*both, strict=True))
        requests = [
            LoadRequest("tokenizers", str(each), "tokenizer.json", files=(str(each),))
            for each in (given.left, given.right)
        ]
        workers = [WorkerTokenizer(each, limits=WorkerLimits(60.0, 60.0)) for each in requests]
        with workers[0], workers[1]:
            sides = [CorpusSide(w.request.path, w, {}) for w in workers]
            compare_corpus(start, sides[0], sides[1], "tokenizers")
            early, before = _peak(), _processor()
            started = time.perf_counter()
            found = compare_corpus(whole, sides[0], sides[1], "tokenizers")
            took = time.perf_counter() - started
            worked = sum(worker.stats.upstream_seconds for worker in workers)
        processor = _processor() - before  # of the workers too, which have ended
    print(f"{found.documents:,} documents, {given.megabytes:g} MB, {found.different:,} differ")
    print(f"libraries alone, one after the other {alone:.2f} s; comparing {took:.2f} s wall")
    print(f"ratio {took / alone:.2f}; inside the workers {worked:.2f} s, the start included")
    print(f"processor seconds {alone_processor:.2f} alone, {processor:.2f} comparing, the workers'")
    print(f"start included: ratio {processor / alone_processor:.2f}")
    print(f"peak memory of the parent {early:.0f} MB at the start, {_peak():.0f} MB at the end")


def _lines(corpus: Path | None) -> Iterator[str]:
    """The lines of a file, over and over; without one, rows of built-in sentences."""
    while corpus is not None:
        yield from documents(corpus)
    rng = Random(0)
    sentences = [text for sample in load() for text in sample.sentences]
    while True:
        yield " ".join(rng.choices(sentences, k=rng.randint(1, 12)))


def _write(target: Path, lines: Iterator[str], most: float) -> None:
    """The lines until there are so many bytes, one at a time."""
    size = 0
    with target.open("w", encoding="utf-8", newline="") as out:
        while size < most:
            line = next(lines) + "\n"
            out.write(line)
            size += len(line.encode())


def _alone(path: Path, corpus: Path) -> tuple[float, float]:
    """Seconds, wall and processor, of one library for all batches; the reading is not counted."""
    from tokenizers import Tokenizer

    library, seconds, processor = Tokenizer.from_file(str(path)), 0.0, 0.0
    for batch in batches(documents(corpus)):
        started, before = time.perf_counter(), time.process_time()
        _ = [found.ids for found in library.encode_batch(batch, add_special_tokens=False)]
        seconds += time.perf_counter() - started
        processor += time.process_time() - before
    return seconds, processor


def _processor() -> float:
    """Processor seconds of this process and of those it has waited for."""
    whole = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in whole)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
