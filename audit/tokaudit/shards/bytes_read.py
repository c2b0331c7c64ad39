"""Count the bytes read of files, as their pieces return."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tokaudit.shards.work import Task

OnBytes = Callable[[int, int], None]  # how many are done, and of how many


class BytesRead:
    """Adds up each piece's share of its file, and reports to `on_bytes`.

    >>> halves = [Task("a", "a", 900, 0, 1), Task("a", "a", 900, 1, 2)]
    >>> read = BytesRead(halves, lambda done, whole: print(done, "of", whole))
    0 of 900
    >>> read.add(halves[1])
    450 of 900
    """

    def __init__(self, tasks: Sequence[Task], on_bytes: OnBytes | None) -> None:
        self._on_bytes, self._done = on_bytes, 0
        self._whole = sum({task.path: task.size for task in tasks}.values())
        self._units, self._read = Counter[str](), Counter[str]()
        for task in tasks:
            self._units[task.path] += task.stop - task.start
        self._tell()

    def add(self, task: Task) -> None:
        """Add a finished piece."""
        before = self._bytes(task)
        self._read[task.path] += task.stop - task.start
        self._done += self._bytes(task) - before
        self._tell()

    def _tell(self) -> None:
        if self._on_bytes is not None:
            self._on_bytes(self._done, self._whole)

    def _bytes(self, task: Task) -> int:
        return task.size * self._read[task.path] // max(1, self._units[task.path])
