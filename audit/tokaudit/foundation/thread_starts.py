"""Threads whose start ends: in an error where the new thread has no memory for its first frame.

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
    """An event for which nobody waits longer than `PATIENCE`."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(PATIENCE if timeout is None else timeout)


def bound_starts() -> None:
    """From now on a thread that cannot begin is a RuntimeError of who starts it."""
    start = threading.Thread.start

    def bounded(thread: threading.Thread) -> None:
        begun = thread._started = _Begun()  # type: ignore[attr-defined]  # what start waits for
        start(thread)
        if not begun.is_set():
            raise RuntimeError(NO_THREAD)

    threading.Thread.start = bounded  # type: ignore[method-assign,assignment]
    sys.unraisablehook = _without_threads


def _without_threads(given: UnraisableHookArgs) -> None:
    """Report nothing of a thread that could not begin: whoever starts it raises the error."""
    if "in thread started by" not in (given.err_msg or ""):
        sys.__unraisablehook__(given)
