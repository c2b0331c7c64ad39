"""The memory that a grown file costs the process that audits it."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tokaudit_costs.grown import Growth
from tokaudit_fuzz.sample import Files

PER_BYTE = 400  # bytes of memory for each byte of a file: c of the law
FLOOR = 64_000_000  # bytes of memory for a small file: k of the law
LOOK = 0.005  # seconds


@dataclass(frozen=True)
class Cost:
    """What an audit in a process of its own took, and how it ended."""

    bytes: int
    peak: int
    exit_code: int


def traced(run: Callable[[Path], object], files: Files) -> int:
    """The most bytes that Python held at once while it ran on these files, in this process."""
    with TemporaryDirectory() as folder:
        _write(files, Path(folder))
        tracemalloc.start()
        try:
            run(Path(folder))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def growth_of_cost(run: Callable[[Path], object], growth: Growth, sizes: tuple[int, int]) -> float:
    """The bytes of memory for each further byte of a file, between two sizes."""
    small, large = (growth.of(size) for size in sizes)
    more = sum(map(len, large.values())) - sum(map(len, small.values()))
    return (traced(run, large) - traced(run, small)) / max(more, 1)


def audited(files: Files, memory: int, seconds: float = 600.0) -> Cost:
    """The peak of the command's own process, its workers apart, and its exit code."""
    with TemporaryDirectory() as folder:
        _write(files, Path(folder))
        command = [sys.executable, "-m", "tokaudit", "audit", folder, "--quiet"]
        process = subprocess.Popen(
            [*command, "--memory", str(memory), "--timeout", "60"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        peak, end = 0, time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < end:
            peak = max(peak, _peak(process.pid))
            time.sleep(LOOK)
        process.kill()
        return Cost(sum(map(len, files.values())), peak, process.wait())


def _peak(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def _write(files: Files, folder: Path) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)
