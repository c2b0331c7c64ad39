"""Paths that a worker may read: its interpreter's libraries, and its adapter's input.

Nothing else of the user's home folder is among it, and nothing of `/proc`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tokaudit.runtimes.jobs import all_jobs
from tokaudit.runtimes.registry import adapter_named
from tokaudit.runtimes.request import decoded
from tokaudit.runtimes.worker.confinement.interpreter import libraries
from tokaudit.runtimes.worker.confinement.sandbox import Needs
from tokaudit.runtimes.worker.questions import Do, Load, Question

SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
    "/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/random", "/dev/zero",
)  # fmt: skip
"""Where systems keep libraries for every user, and tables such as those of time zones."""


def readable(question: Question) -> Iterator[str]:
    """Yield the paths that a process needs for this first question."""
    yield from SYSTEM
    yield from libraries()
    yield from (entry for entry in sys.path if entry.startswith(os.sep))
    yield from _of_packages(len(sys.modules))
    with contextlib.suppress(Exception):  # the question itself reports what is wrong
        if isinstance(question, Load):
            yield from _of_the_request(question.request)
        elif isinstance(question, Do):
            yield from all_jobs()[question.job].reads(question.request)


def needs(question: Question, *files: int) -> Needs:
    """Return the programs, ports and file channels that a first question needs."""
    try:
        programs, ports = _programs_and_ports(question)
    except Exception:  # the question itself reports what is wrong
        return Needs(files=files)
    with_loaders = (*programs, *(_loaders() if programs else ()))
    return Needs(with_loaders, ports, files)


def _programs_and_ports(question: Question) -> tuple[tuple[str, ...], tuple[int, ...]]:
    if isinstance(question, Do):
        return tuple(all_jobs()[question.job].programs(question.request)), ()
    if not isinstance(question, Load):
        return (), ()
    request = decoded(question.request)
    adapter = adapter_named(request.adapter)
    programs = tuple(adapter.programs(request)) if adapter.programs else ()
    return programs, tuple(adapter.ports(request))


def _loaders() -> Iterator[str]:
    """Yield the loaders that the kernel starts first for a dynamically linked program."""
    for folder in ("/lib64", "/lib"):
        yield from map(str, Path(folder).glob("ld-*.so*"))


@cache
def _of_packages(imported: int) -> tuple[str, ...]:
    """Return the folders of imported packages, for this number of modules.

    One may be an editable package, or a link in a folder of the path that leads out of it.
    """
    packages = [module for name, module in tuple(sys.modules.items()) if "." not in name]
    return tuple(str(each) for package in packages for each in getattr(package, "__path__", ()))


def _of_the_request(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the adapter's declared paths, and its package if it is not on the path."""
    request = decoded(values)
    adapter = adapter_named(request.adapter)
    yield from adapter.reads(request)
    if adapter.package:
        found = find_spec(adapter.package.replace("-", "_"))
        yield from (found.submodule_search_locations or ()) if found else ()
