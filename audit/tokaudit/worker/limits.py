"""The limits a worker sets on itself before it imports any vendor."""

from __future__ import annotations

import contextlib
import resource

CPU_SECONDS = 1800
LARGEST_FILE = 64 * 1024 * 1024


def limit(memory: int) -> None:
    """Bound address space, processor time, file size and core dumps, as the platform allows."""
    wanted = {
        "RLIMIT_AS": memory,
        "RLIMIT_CPU": CPU_SECONDS,
        "RLIMIT_FSIZE": LARGEST_FILE,
        "RLIMIT_CORE": 0,
    }
    for name, value in wanted.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, (value, value))
