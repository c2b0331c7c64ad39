"""A kind of work: how its job, its tasks and its results travel, and what does a task."""

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
    """One kind of work, by the module that holds it as `WORK`: another process imports it."""

    module: str
    job: type[J]
    result: type[R]
    opened: Callable[[J], AbstractContextManager[Callable[[Task], R]]]

    def job_of(self, line: bytes) -> J:
        """The job in a line of JSON."""
        return read_json(line, self.job)

    def result_of(self, line: bytes) -> R:
        """The result in a line of JSON; raises `ValueError` for anything else."""
        return read_json(line, self.result)


def work_of(module: str) -> Work[Any, Any]:
    """The kind of work that a module of this package holds."""
    found: Work[Any, Any] = importlib.import_module(module).WORK
    return found


def task_of(line: bytes) -> Task:
    """The task in a line of JSON."""
    return read_json(line, Task)


def packed(value: Any) -> bytes:
    """A job, a task or a result as one line of JSON, its members in the order they have."""
    return json_bytes(value)
