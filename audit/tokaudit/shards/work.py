"""A kind of work: formats of its job, tasks and results, and its function."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.foundation.typed_values import read_json

J = TypeVar("J")  # what all tasks of a run have in common
R = TypeVar("R")  # what comes back of a task


@dataclass(frozen=True)
class Task:
    """One piece of one file, by its path or URL."""

    name: str
    path: str
    size: int
    start: int
    stop: int


@dataclass(frozen=True)
class Work(Generic[J, R]):
    """One kind of work, by the module that holds it as `WORK` for other processes."""

    module: str
    job: type[J]
    result: type[R]
    opened: Callable[[J], AbstractContextManager[Callable[[Task], R]]]

    def job_of(self, line: bytes) -> J:
        """Parse the job in a line of JSON."""
        return read_json(line, self.job)

    def result_of(self, line: bytes) -> R:
        """Parse the result in a line of JSON; raise `ValueError` for anything else."""
        return read_json(line, self.result)


def work_of(module: str) -> Work[Any, Any]:
    """Return the kind of work in a module of this package."""
    found: Work[Any, Any] = importlib.import_module(module).WORK
    return found


def task_of(line: bytes) -> Task:
    """Parse the task in a line of JSON."""
    return read_json(line, Task)


def packed(value: Any) -> bytes:
    """Format a job, task or result as one line of JSON, with members in order."""
    return json_bytes(value)
