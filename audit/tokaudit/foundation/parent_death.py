"""Let the Linux kernel end a process together with its parent."""

from __future__ import annotations

import ctypes
import os
import signal

SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, in <linux/prctl.h>


def die_with_parent() -> None:
    """Have this process killed when its parent thread ends; raise `OSError` on failure."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(SET_DEATH_SIGNAL, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
