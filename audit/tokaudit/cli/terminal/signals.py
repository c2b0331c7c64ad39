"""End the command at once on SIGINT, SIGTERM and SIGHUP, leaving nothing behind.

No exception is raised for them.  An exception would have to pass through whatever runs, and a pool
of threads holds it back until the last check has ended; it may also be swallowed on the way.
"""

from __future__ import annotations

import os
import select
import signal
from types import FrameType

SAID = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}
CLEAN_LINE = "\r\x1b[2K\x1b[?25h"  # no half-drawn bar, and the cursor that the bar has hidden


def end_on_signals() -> None:
    """Handle the signals from now on, except those that the caller ignores, like `nohup`."""
    owner = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        for each in SAID:  # a second signal need not wait for what follows
            signal.signal(each, signal.SIG_DFL)
        if os.getpid() == owner:  # and not a fork of it, which shares its files and workers
            from tokaudit.foundation import leftovers

            leftovers.clear()
            _say(f"tokaudit: {SAID[signal.Signals(number)]}\n")
        os._exit(128 + number)

    for each in SAID:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, end)


def _say(line: str) -> None:
    """Write to stderr unless that would block."""
    try:
        waiting = select.poll()
        waiting.register(2, select.POLLOUT)
        if waiting.poll(0):
            os.write(2, ((CLEAN_LINE if os.isatty(2) else "") + line).encode())
    except OSError:
        pass
