"""System calls for which Python has no function."""

from __future__ import annotations

import ctypes
import os
from typing import Any

NOT_OFFERED = -1


def call(number: int, *arguments: Any, required: str = "") -> int:
    """Call Linux; raise `OSError` only if the call is `required`."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    found = int(libc.syscall(ctypes.c_long(number), *wide))
    if found == NOT_OFFERED and required:
        code = ctypes.get_errno()
        raise OSError(code, f"{required}: {os.strerror(code)}")
    return found
