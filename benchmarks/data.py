"""What examining ids on disk costs, as ratios within one run; medians of five, with a warm cache.

    python benchmarks/data.py [--megabytes 200] [--rounds 5] [--ray]

The ids are those of the built-in sentences by the built-in tokenizer, repeated into a `.ds` of so
many megabytes of uint16.  Printed are: counting (range, boundaries and histogram) against
`memmap.sum()`; decoding and encoding through a worker against the library alone doing the same; the
peak memory of this process after a tenth and after all; two processes against one; and with `--ray`
what a piece costs more by Ray.  Upstream's own threads are off.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

os.environ["TOKENIZERS_PARALLELISM"] = "false"
sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("tests", "tools")]

import numpy as np  # noqa: E402
from small_ids import documents, small_folder  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

from tokaudit.engine.data.roles import expected_of  # noqa: E402
from tokaudit.runtimes.request import LoadRequest  # noqa: E402
from tokaudit.runtimes.shards.ids.carrying_out import Way, carry_out  # noqa: E402
from tokaudit.runtimes.shards.ids.plan import Draw, Plan  # noqa: E402
from tokaudit.runtimes.shards.ids.work import Job  # noqa: E402
from tokaudit.runtimes.worker.client import WorkerTokenizer  # noqa: E402
from tokaudit.subject.data.files import IdDescription, files_of  # noqa: E402
from tokaudit.subject.data.opening import open_data  # noqa: E402
from tokaudit.subject.opening import open_subject  # noqa: E402
from tokaudit.subject.representations import parse_all  # noqa: E402
from tokaudit_folders.id_files import datatrove  # noqa: E402


class Bench:
    """A tokenizer, ids of a few sizes, and the ways to examine them."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.folder, self.rounds = folder, rounds
        self.tokenizer = small_folder().write(folder / "tokenizer")
        spec = parse_all(open_subject(self.tokenizer)).parsed[0][1]
        self.expected = expected_of(open_subject(self.tokenizer), spec)
        self.rows = documents(500)

    def written(self, megabytes: float) -> Path:
        """A folder with one shard of about so many megabytes."""
        path = self.folder / f"ids-{megabytes:g}"
        path.mkdir()
        once = 2 * sum(map(len, self.rows))
        datatrove(path / "ids.ds", self.rows)
        times = max(1, int(megabytes * 1e6 / once))
        data = (path / "ids.ds").read_bytes()
        ends = np.frombuffer((path / "ids.ds.index").read_bytes(), "<u8")
        with (path / "ids.ds").open("wb") as ids, (path / "ids.ds.index").open("wb") as index:
            for number in range(times):
                ids.write(data)
                index.write((ends + number * (len(data) // 2)).tobytes())
        (path / "ids.ds.metadata").write_text(f"small|2\n{times * len(data) // 2}\n")
        return path

    def examine(self, data: Path, share: float, way: Way, *, decode: bool = True) -> None:
        """Examine the ids, a share of the documents decoded."""
        given = IdDescription("", self.expected.size)
        [shard] = open_data([data], given).shards
        files = {each.name: each for each in files_of([data])}
        job = Job("bench", Plan(self.expected, Draw(share)), given)
        job = job.loading(self.request) if decode else job
        carry_out(job, {files[shard.info.name]: shard}, way)

    @property
    def request(self) -> LoadRequest:
        """What loads the tokenizer."""
        path = str(self.tokenizer / "tokenizer.json")
        return LoadRequest("tokenizers", path, files=(path,))

    def seconds(self, *works: Callable[[], object]) -> list[float]:
        """The median of each, by turns."""
        found: list[list[float]] = [[] for _ in works]
        for _ in range(self.rounds):
            for work, times in zip(works, found, strict=True):
                start = time.perf_counter()
                work()
                times.append(time.perf_counter() - start)
        return [median(times) for times in found]


def library_alone(library: Tokenizer, rows: list[list[int]]) -> None:
    """Decode documents and encode the texts, by the library in this process."""
    texts = library.decode_batch([row[:-1] for row in rows], skip_special_tokens=False)
    for one, row in zip(library.encode_batch(texts, add_special_tokens=False), rows, strict=True):
        assert one.ids == row[:-1]


def peak() -> float:
    """The most memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=float, default=200.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ray", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), given.rounds)
        small, large = bench.written(given.megabytes / 10), bench.written(given.megabytes)
        bench.examine(small, 0.0, Way(), decode=False)
        first = peak()
        bench.examine(large, 0.0, Way(), decode=False)
        found = {"peak of a tenth, MB": first, "peak of all, MB": peak()}
        array = np.memmap(large / "ids.ds", "<u2", "r")
        summed, counted = bench.seconds(
            array.sum, lambda: bench.examine(large, 0.0, Way(), decode=False)
        )
        found["counting to memmap.sum()"] = counted / summed
        found["ids counted a second, millions"] = len(array) / counted / 1e6
        tenth = bench.written(given.megabytes / 100)
        rows = bench.rows * (
            len(np.memmap(tenth / "ids.ds", "<u2", "r")) // sum(map(len, bench.rows))
        )
        with WorkerTokenizer(bench.request) as worker:
            _ = worker.info
            library = Tokenizer.from_file(str(bench.tokenizer / "tokenizer.json"))
            alone, decoded = bench.seconds(
                lambda: library_alone(library, rows),
                lambda: bench.examine(tenth, 1.0, Way(tokenizer=worker)),
            )
        found["decode and encode to the library alone"] = decoded / alone
        one, two = bench.seconds(
            lambda: bench.examine(large, 0.1, _processes(1)),
            lambda: bench.examine(large, 0.1, _processes(2)),
        )
        found["two processes to one"] = one / two
        if given.ray:
            (by_ray,) = bench.seconds(lambda: bench.examine(large, 0.1, Way(ray="local")))
            found["seconds by Ray more than by one process"] = by_ray - one
    print(json.dumps({name: round(value, 3) for name, value in found.items()}, indent=2))


def _processes(count: int) -> Way:
    """So many separate processes, even where it is one."""
    return Way(jobs=count, apart=True)


if __name__ == "__main__":
    main()
