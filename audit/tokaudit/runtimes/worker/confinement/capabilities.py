"""Give up privileges of a Linux process: capabilities, and being inspected."""

from __future__ import annotations

import ctypes
import os
import struct

GET_DUMPABLE, SET_DUMPABLE = 3, 4
SET_SUBREAPER, GET_SUBREAPER, NO_NEW_PRIVILEGES = 36, 37, 38
READ_AND_SEARCH = 1 << 2  # CAP_DAC_READ_SEARCH
CAPABILITY_VERSION = 0x2008_0522  # of the structure below, which has two words of each set


def prctl(option: int, value: int = 0) -> int:
    """Call `prctl`; raise `OSError` on failure."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = int(libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0))
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl {option}: {os.strerror(code)}")
    return found


def gain_no_privileges() -> None:
    """Rule out that an executed program gains privileges; filters require it."""
    prctl(NO_NEW_PRIVILEGES, 1)


def hide() -> None:
    """Prevent other processes of this user from inspecting this one, and core dumps."""
    prctl(SET_DUMPABLE, 0)


def dumpable() -> int:
    """Return 1 if others may inspect this process."""
    return prctl(GET_DUMPABLE)


def show() -> None:
    """Let other processes of this user inspect this one again."""
    prctl(SET_DUMPABLE, 1)


def adopt(yes: bool) -> None:
    """Adopt descendants of this process that lose their parent."""
    prctl(SET_SUBREAPER, int(yes))


def adopts() -> bool:
    """Return whether this process adopts them."""
    found = ctypes.c_int()
    prctl(GET_SUBREAPER, ctypes.addressof(found))
    return bool(found.value)


def drop(*, keep_reading: bool = False) -> None:
    """Give up every capability for good, optionally except reading; raise `OSError`."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_VERSION, 0), 8)
    found = ctypes.create_string_buffer(24)
    _required(libc.capget(header, found), "capget")
    kept = struct.unpack("=6I", found.raw)[1] & READ_AND_SEARCH if keep_reading else 0
    none = ctypes.create_string_buffer(struct.pack("=6I", kept, kept, 0, 0, 0, 0), 24)
    _required(libc.capset(header, none), "capset")


def _required(result: int, call: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}")
