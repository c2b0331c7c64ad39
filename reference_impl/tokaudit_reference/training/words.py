"""Counts the pre-tokens of a file, on several processes if there are several.

Special tokens are taken out first: they belong to no pre-token, so they never take part in a merge.
The counts come in the order of first appearance, and neither they nor their order depend on the
number of processes.  Memory holds one range of the file for each process (see `chunks.py`) and one
string for each distinct pre-token.  Nothing is merged here.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.training.chunks import Range, ranges


@dataclass(frozen=True, slots=True)
class _Task:
    path: Path
    range: Range
    special_tokens: tuple[str, ...]
    patterns: tuple[str, ...]


def count_words(
    path: Path,
    special_tokens: Sequence[str],
    patterns: Sequence[str],
    *,
    processes: int | None = None,
    on_bytes: Callable[[int], None] | None = None,
) -> Counter[str]:
    """Count each pre-token of a file; `processes` is by default the number of cores.

    Each pattern splits what the one before it left, and all of it is kept.  `on_bytes` gets how
    many bytes are counted.  Raises `SpecError` for what is not UTF-8, and when a process is lost.
    """
    special, by = tuple(special_tokens), tuple(patterns)
    tasks = [_Task(path, range, special, by) for range in ranges(path, special, by)]
    found: Counter[str] = Counter()
    for task, counts in zip(tasks, _mapped(tasks, processes), strict=True):
        found.update(counts)
        if on_bytes is not None:
            on_bytes(task.range[1])
    return found


def without(special_tokens: Iterable[str], text: str) -> list[str]:
    """Return the text between special tokens, the longest token first.

    >>> without(["<a>", "<a><b>"], "x<a><b>y<a>z")
    ['x', 'y', 'z']
    """
    longest_first = sorted(filter(None, special_tokens), key=len, reverse=True)
    if not longest_first:
        return [text]
    return re.split("|".join(map(re.escape, longest_first)), text)


def _mapped(tasks: Sequence[_Task], processes: int | None) -> Iterator[Counter[str]]:
    workers = min(processes or os.cpu_count() or 1, len(tasks))
    if workers <= 1:
        yield from map(_count, tasks)
        return
    try:
        with ProcessPoolExecutor(workers) as pool:
            yield from pool.map(_count, tasks)
    except BrokenProcessPool as error:
        raise SpecError(
            "a process that counted words was ended from outside",
            file=str(tasks[0].path),
            remedy="memory may be short: use fewer processes",
        ) from error


def _count(task: _Task) -> Counter[str]:
    counts: Counter[str] = Counter()
    cut = cutter(task.patterns)
    for document in without(task.special_tokens, _text(task)):
        counts.update(cut(document))
    return counts


def cutter(patterns: Sequence[str]) -> Callable[[str], list[str]]:
    """Return a function that cuts a text: each pattern splits what the one before it left.

    >>> cutter([r"\\S+|\\s+", r"\\w"])("ab c")
    ['a', 'b', ' ', 'c']
    """
    first, *more = [compiled(pattern).pieces for pattern in patterns]

    def cut(text: str) -> list[str]:
        pieces = first(text)
        for split in more:
            pieces = [part for piece in pieces for part in split(piece)]
        return pieces

    return cut


def _text(task: _Task) -> str:
    start, end = task.range
    with task.path.open("rb") as file:
        file.seek(start)
        data = file.read(end - start)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise SpecError(
            f"is not UTF-8: byte 0x{data[error.start]:02x} at offset {start + error.start}",
            file=str(task.path),
            remedy="convert it first",
        ) from error
