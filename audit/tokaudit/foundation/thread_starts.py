"""Thread starts that fail with an error, instead of hanging, if memory is short.

`threading.Thread.start` waits, without a limit, for the new thread to say that it runs.  One that
cannot even make its first frame dies before that, and the wait never ends (python/cpython#140746,
repaired in later versions).  Pools of threads start theirs in the same way, so the method itself is
replaced; only a command does so, whose process is its own.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from tokaudit.foundation.exhaustion import NO_THREAD

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

PATIENCE = 10.0  # seconds for a thread to begin, which takes microseconds on an idle machine


class _Begun(threading.Event):
    """An event with waits limited to `PATIENCE`."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(PATIENCE if timeout is None else timeout)


def bound_starts() -> None:
    """Raise RuntimeError in the caller when a thread cannot start."""
    start = threading.Thread.start

    def bounded(thread: threading.Thread) -> None:
        begun = thread._started = _Begun()  # type: ignore[attr-defined]  # what start waits for
        start(thread)
        if not begun.is_set():
            raise RuntimeError(NO_THREAD)

    threading.Thread.start = bounded  # type: ignore[method-assign,assignment]
    sys.unraisablehook = _without_threads


def _without_threads(given: UnraisableHookArgs) -> None:
    """Suppress output about a thread that could not start: its caller raises the error."""
    if "in thread started by" not in (given.err_msg or ""):
        sys.__unraisablehook__(given)
