"""What examining ids on disk costs, as ratios within one run; medians, with a warm cache.

    python benchmarks/data.py [--megabytes 200] [--rounds 5] [--two] [--ray] [--page FILE]

The ids are those of the built-in sentences by the built-in tokenizer, repeated into a `.ds` of so
many megabytes of uint16, as long documents and as short ones.  Printed are: range and boundaries,
and these with the histogram and all else that is counted, against `memmap.sum()`; decoding and
encoding against the library alone doing the same; and the peak memory of this process after a tenth
and after all, next to that of the worker, in which everything is read.  These are processor seconds
of this process and all that it started, so that a busy machine changes little.  `--ray` adds what
a piece costs more by Ray, and `--two` two processes against one, by the clock on the wall, which
needs an idle machine.  `--page` writes what follows from these figures for very many ids.
Upstream's own threads are off.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median

os.environ["TOKENIZERS_PARALLELISM"] = "false"
HOMES = ("tests/helpers/samples", "tools")
sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in HOMES]

import numpy as np  # noqa: E402
from small_ids import END, small_folder, texts  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

from tokaudit.products.data.files.files import IdDescription, files_of  # noqa: E402
from tokaudit.products.data.files.flat import IDS_OF_A_PIECE  # noqa: E402
from tokaudit.products.data.files.opening import open_data  # noqa: E402
from tokaudit.products.data.ids.plan import Draw, Plan  # noqa: E402
from tokaudit.products.data.needs import DRAWN_IDS  # noqa: E402
from tokaudit.products.data.shards.carrying_out import Way, carry_out  # noqa: E402
from tokaudit.products.data.shards.jail import ShardWorker  # noqa: E402
from tokaudit.products.data.shards.job import Job  # noqa: E402
from tokaudit.products.data.work.roles import expected_of  # noqa: E402
from tokaudit.runtimes.request import LoadRequest  # noqa: E402
from tokaudit.subject.opening import open_subject  # noqa: E402
from tokaudit.subject.representations import parse_all  # noqa: E402
from tokaudit_folders.id_files import datatrove  # noqa: E402

END_ID = small_folder().vocab[END]
LONG, SHORT = 20, 1  # texts that are joined to a document, of about 800 and of about 42 ids
OF_SHORT = ", documents of about 42 ids"
SHARDS = 400  # of a few kilobytes, on which Ray is measured
TIMES = 10
MANY = 15e12  # ids
PER_SECOND = ("ids counted a second, millions", "ids decoded and encoded a second, millions")
Work = Callable[[], object]
Clock = Callable[[], float]
PAGE = """# What examining very many ids costs

This page is written by `{command} --page docs/data-cost.md`,
which measures on the machine at hand: a shard of uint16 with documents of about 800 ids, in
processor time; of short documents an id costs more, as the rows say.

| measured | figure |
|---|---|
{rows}
The cost in seconds of one processor is

    ids / counted a second + decoded ids / decoded a second + pieces * overhead of a piece

where every id is counted, the decoded ids are those of the tier (`full`: {drawn:,}), however
many there are, and a piece has at most {piece:,} ids of a stream. For 15 trillion ids that is

| part | hours of one processor |
|---|---|
| counting at {counted:,.0f} million ids a second | {hours[0]:,.1f} |
| decoding and encoding at {decoded:,.2f} million ids a second | {hours[1]:,.2f} |
| {overhead:.1f} ms by Ray for each of {pieces:,.0f} pieces | {hours[2]:,.1f} |
| together | {total:,.1f} |

As uint16 these are {terabytes:.0f} TB, which take {read:.1f} hours at a gigabyte a second: storage
decides, not processors.
"""


class Bench:
    """A tokenizer, ids of a few sizes, and the ways to examine them."""

    def __init__(self, folder: Path, rounds: int, joined: int = LONG) -> None:
        self.folder, self.rounds = folder, rounds
        folder.mkdir(exist_ok=True)
        self.tokenizer = small_folder().write(folder / "tokenizer")
        spec = parse_all(open_subject(self.tokenizer)).parsed[0][1]
        self.expected = expected_of(open_subject(self.tokenizer), spec)
        short = [text for text in texts(500) if text]
        long = [" ".join(short[at : at + joined]) for at in range(len(short) - joined)]
        library = Tokenizer.from_file(str(self.tokenizer / "tokenizer.json"))
        self.rows = [[*one.ids, END_ID] for one in library.encode_batch(long)]

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

    def examine(
        self, data: Path, share: float, way: Way, worker: ShardWorker, *, histogram: bool = True
    ) -> None:
        """Examine the ids, a share of the documents decoded."""
        given = IdDescription("", self.expected.size)
        files = {each.name: each for each in files_of([data])}
        corpus = open_data([data], given, worker.opened)
        shards = {files[shard.info.name]: shard for shard in corpus.shards}
        job = Job("bench", Plan(self.expected, Draw(share), histogram), given)
        job = job.loading(self.request) if share else job
        carry_out(job, shards, replace(way, here=worker.measured))

    @property
    def request(self) -> LoadRequest:
        """What loads the tokenizer."""
        path = str(self.tokenizer / "tokenizer.json")
        return LoadRequest("tokenizers", path, files=(path,))

    def small_shards(self, count: int) -> Path:
        """A folder of shards of a few kilobytes, each of which is a piece."""
        path = self.folder / f"small-{count}"
        path.mkdir()
        for number in range(count):
            datatrove(path / f"{number:05}.ds", self.rows[number % 9 :: 100])
        return path

    def medians(self, *works: Work, clock: Clock) -> list[float]:
        """The median of each, by turns."""
        found: list[list[float]] = [[] for _ in works]
        for _ in range(self.rounds):
            for work, times in zip(works, found, strict=True):
                start = clock()
                work()
                times.append(clock() - start)
        return [median(times) for times in found]


def library_alone(library: Tokenizer, rows: list[list[int]]) -> None:
    """Decode documents and encode the texts, by the library in this process."""
    texts = library.decode_batch([row[:-1] for row in rows], skip_special_tokens=False)
    for one, row in zip(library.encode_batch(texts, add_special_tokens=False), rows, strict=True):
        assert one.ids == row[:-1]


def peak() -> float:
    """The most memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def peak_of(worker: ShardWorker) -> float:
    """The most memory of a worker's process so far, in megabytes."""
    words = Path(f"/proc/{worker.pid}/status").read_text().split()
    return int(words[words.index("VmHWM:") + 1]) / 1024


def processor_seconds() -> float:
    """Of this process and of all that it has started, those that have ended included."""
    stats = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        stats[int(file.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    own = {os.getpid()}
    while more := {pid for pid, (parent, _) in stats.items() if parent in own} - own:
        own |= more
    return sum(stats[pid][1] for pid in own if pid in stats) / os.sysconf("SC_CLK_TCK")


def memory(bench: Bench, megabytes: float) -> dict[str, float]:
    """The peak of this process and of the worker, after a tenth and after all."""
    found = {}
    for part, size in (("a tenth", megabytes / 10), ("all", megabytes)):
        data = bench.written(size)
        with ShardWorker() as worker:
            bench.examine(data, 0.0, Way(), worker)
            found[f"peak after {part}, MB"] = peak()
            found[f"peak of the worker after {part}, MB"] = peak_of(worker)
    return found


def counting(bench: Bench, megabytes: float, name: str) -> dict[str, float]:
    """Range and boundaries, and everything that is counted, against a sum."""
    data = bench.folder / f"ids-{megabytes:g}"
    data = data if data.is_dir() else bench.written(megabytes)
    array = np.memmap(data / "ids.ds", "<u2", "r")
    with ShardWorker() as worker:
        examine = partial(bench.examine, data, 0.0, Way(), worker)
        examine()  # so that starting is no part of it
        summed, bounds, counted = bench.medians(
            *(
                partial(repeated, work)
                for work in (array.sum, partial(examine, histogram=False), examine)
            ),
            clock=processor_seconds,
        )
    found = {
        f"range and boundaries to memmap.sum(){name}": bounds / summed,
        f"with the histogram to memmap.sum(){name}": counted / summed,
    }
    return found if name else found | {PER_SECOND[0]: TIMES * len(array) / counted / 1e6}


def repeated(work: Work) -> None:
    """Do something until the clock of processors, which goes in steps, can tell how long it is."""
    for _ in range(TIMES):
        work()


def decoding(bench: Bench, megabytes: float, name: str) -> dict[str, float]:
    """Decoding and encoding in a worker against the library alone."""
    data = bench.written(megabytes / 50)
    ids = len(np.memmap(data / "ids.ds", "<u2", "r"))
    rows = bench.rows * (ids // sum(map(len, bench.rows)))
    library = Tokenizer.from_file(str(bench.tokenizer / "tokenizer.json"))
    with ShardWorker(bench.request) as worker:
        examine = partial(bench.examine, data, 1.0, Way(), worker)
        examine()
        alone, decoded = bench.medians(
            lambda: library_alone(library, rows), examine, clock=processor_seconds
        )
    found = {f"decode and encode to the library alone{name}": decoded / alone}
    return found if name else found | {PER_SECOND[1]: ids / decoded / 1e6}


def two_processes(bench: Bench, megabytes: float) -> dict[str, float]:
    """How much sooner two processes are done than one, by the clock on the wall."""
    large = bench.folder / f"ids-{megabytes:g}"
    with ShardWorker() as worker:
        one, two = bench.medians(
            lambda: bench.examine(large, 0.1, Way(jobs=1, apart=True), worker),
            lambda: bench.examine(large, 0.1, Way(jobs=2, apart=True), worker),
            clock=time.perf_counter,
        )
    return {"one process to two": one / two}


def by_ray(bench: Bench) -> dict[str, float]:
    """What a small piece costs more by Ray than by a process, apart from what both start with."""
    import ray

    few, many = bench.small_shards(SHARDS // 4), bench.small_shards(SHARDS)
    quiet = logging.ERROR
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level=quiet)
    ways = (Way(apart=True), Way(ray="local"))
    with ShardWorker() as worker:
        for way in ways:
            bench.examine(few, 0.0, way, worker)
        process, process_of_many, rays, rays_of_many = bench.medians(
            *(
                partial(bench.examine, data, 0.0, way, worker)
                for way in ways
                for data in (few, many)
            ),
            clock=processor_seconds,
        )
    ray.shutdown()
    more = (rays_of_many - rays) - (process_of_many - process)
    return {"milliseconds that Ray adds to a piece": 1000 * more / (SHARDS - SHARDS // 4)}


def page(found: dict[str, float], command: str) -> str:
    """What the figures come to for very many ids, as a page."""
    counted, decoded = (found[name] * 1e6 for name in PER_SECOND)
    overhead = max(0.0, found.get("milliseconds that Ray adds to a piece", 0.0)) / 1000
    pieces = MANY / IDS_OF_A_PIECE
    parts = (MANY / counted, DRAWN_IDS["full"] / decoded, pieces * overhead)
    hours = [part / 3600 for part in parts]
    rows = "".join(f"| {name} | {value:,.3g} |\n" for name, value in found.items())
    return PAGE.format(
        command=command, rows=rows, counted=counted / 1e6, decoded=decoded / 1e6,
        overhead=1000 * overhead, piece=IDS_OF_A_PIECE, pieces=pieces, drawn=DRAWN_IDS["full"],
        hours=hours, total=sum(hours), terabytes=2 * MANY / 1e12, read=2 * MANY / 1e9 / 3600,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=float, default=200.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--two", action="store_true")
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--page", type=Path)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "long", given.rounds)
        short = Bench(Path(folder) / "short", given.rounds, SHORT)
        found = memory(bench, given.megabytes)
        for one, name in ((bench, ""), (short, OF_SHORT)):
            found |= counting(one, given.megabytes, name)
            found |= decoding(one, given.megabytes, name)
        found |= two_processes(bench, given.megabytes) if given.two else {}
        found |= by_ray(bench) if given.ray else {}
    print(json.dumps({name: round(value, 3) for name, value in found.items()}, indent=2))
    if given.page:
        asked = [word for word in sys.argv[1:] if word not in ("--page", str(given.page))]
        given.page.write_text(page(found, " ".join(["python benchmarks/data.py", *asked])))


if __name__ == "__main__":
    main()
