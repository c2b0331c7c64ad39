"""What comparing a corpus costs beside the two libraries alone, and the memory of the parent.

    python benchmarks/compare_corpus.py CORPUS LEFT RIGHT [--megabytes 10]

CORPUS is a text file, a document on each line; LEFT and RIGHT are `tokenizer.json` files.  Both
libraries encode the same batches alone, ids as lists, one after the other in this run; then the
comparison does.  The parent's peak memory is printed after a tenth of the text and at the end.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # as in a worker

from tokaudit.comparison.corpus import CorpusSide, batches, compare_corpus, documents
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    for name in ("corpus", "left", "right"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--megabytes", type=float, default=10.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        whole, tenth = Path(folder, "whole.txt"), Path(folder, "tenth.txt")
        whole.write_text("".join(_taken(given.corpus, given.megabytes * 1e6)), encoding="utf-8")
        tenth.write_text("".join(_taken(whole, given.megabytes * 1e5)), encoding="utf-8")
        alone = sum(_alone(each, whole) for each in (given.left, given.right))
        requests = [
            LoadRequest("tokenizers", str(each), "tokenizer.json", files=(str(each),))
            for each in (given.left, given.right)
        ]
        workers = [WorkerTokenizer(each, limits=WorkerLimits(60.0, 60.0)) for each in requests]
        with workers[0], workers[1]:
            sides = [CorpusSide(w.request.path, w, {}) for w in workers]
            compare_corpus(tenth, sides[0], sides[1], "tokenizers")
            early = _peak()
            started = time.perf_counter()
            found = compare_corpus(whole, sides[0], sides[1], "tokenizers")
            took = time.perf_counter() - started
            worked = sum(worker.stats.upstream_seconds for worker in workers)
    print(f"{found.documents:,} documents, {given.megabytes:g} MB, {found.different:,} differ")
    print(f"libraries alone, one after the other {alone:.2f} s; comparing {took:.2f} s wall")
    print(f"ratio {took / alone:.2f}; inside the workers {worked:.2f} s, tenth included")
    print(f"peak memory of the parent {early:.0f} MB after a tenth, {_peak():.0f} MB at the end")


def _taken(path: Path, most: float) -> Iterator[str]:
    """The lines of a file, over and over, until there are so many bytes."""
    size = 0.0
    while size < most:
        for text in documents(path):
            size += len(text.encode()) + 1
            yield text + "\n"
            if size >= most:
                return


def _alone(path: Path, corpus: Path) -> float:
    """Seconds of one library for all batches, ids as lists; the reading is not counted."""
    from tokenizers import Tokenizer

    library, seconds = Tokenizer.from_file(str(path)), 0.0
    for batch in batches(documents(corpus)):
        started = time.perf_counter()
        _ = [found.ids for found in library.encode_batch(batch, add_special_tokens=False)]
        seconds += time.perf_counter() - started
    return seconds


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
