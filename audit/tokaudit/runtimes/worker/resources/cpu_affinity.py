"""Keep the timed thread on one processor, the same in every worker.

Two workers whose times are compared may else run on two processors of one machine, of which the
one shares its caches and its clock with somebody's work and the other does not: on a busy machine
the same encoder then seems slower than itself by half.  The rounds alternate, so nobody waits.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

if sys.platform == "linux":
    import os

    @contextlib.contextmanager
    def one_processor() -> Iterator[None]:
        """Stay on the first processor that this process may use during the block."""
        allowed = os.sched_getaffinity(0)
        with contextlib.suppress(OSError):  # where that is not allowed, times are noisier
            os.sched_setaffinity(0, {min(allowed)})
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, allowed)

else:

    @contextlib.contextmanager
    def one_processor() -> Iterator[None]:
        """Do nothing: this system cannot bind a thread to a processor."""
        yield
