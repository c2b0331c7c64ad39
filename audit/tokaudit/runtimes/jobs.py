"""Worker jobs of products besides running a tokenizer: rendering, reading ids.

A product installs one by an entry point of the place `jobs`; the worker knows it by its name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit.foundation.plugins.installed import Kind, installed


def nothing(request: Mapping[str, Any]) -> Iterable[str]:
    """Return no programs or files: the job needs only libraries."""
    return ()


@dataclass(frozen=True)
class Job:
    """A job by its name, with the module that runs it, imported only by a worker.

    The function takes the worker's session and the request as plain data, and returns the result as
    plain data.  `programs` and `reads` say what it starts and reads for a request, as those of an
    adapter do.
    """

    name: str
    module: str
    function: str
    programs: Callable[[Mapping[str, Any]], Iterable[str]] = nothing
    reads: Callable[[Mapping[str, Any]], Iterable[str]] = nothing

    def imported(self) -> Callable[[Any, Mapping[str, Any]], Any]:
        """Import the function that runs it."""
        found: Callable[[Any, Mapping[str, Any]], Any]
        found = getattr(importlib.import_module(self.module), self.function)
        return found


JOBS = Kind("job", Job, ("jobs",), lambda job: (job.name,))


@cache
def all_jobs() -> dict[str, Job]:
    """Map names to installed jobs, without importing their modules."""
    return installed(JOBS).all()
