"""Forbids this process to make sockets, by a filter of its system calls.

Landlock knows TCP only.  Without `socket` there is no UDP and no local socket of another program
(a container service, a key agent) either; `io_uring` would be a way around it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from dataclasses import dataclass

from tokaudit.runtimes.worker.syscalls import NOT_OFFERED, call

SET_FILTER, IS_OFFERED = 1, 2
ALL_THREADS = 1
ALLOW, REFUSE = 0x7FFF_0000, 0x0005_0000 | errno.EACCES
NUMBER_AT, ARCHITECTURE_AT = 0, 4  # in the data that a filter sees
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
OTHER_NUMBERS = 0x4000_0000  # of a second way to call that x86-64 has
IO_URING_SETUP = 425


@dataclass(frozen=True)
class Machine:
    """What the kernel calls an architecture, and the numbers of two calls there."""

    architecture: int
    seccomp: int
    socket: int


MACHINES = {
    "x86_64": Machine(0xC000003E, 317, 41),
    "aarch64": Machine(0xC00000B7, 277, 198),
}


def machine() -> Machine | None:
    """This machine, where the filter is known for it and the kernel offers one."""
    found = MACHINES.get(os.uname().machine) if sys.maxsize > 2**32 else None
    if found is None:
        return None
    action = ctypes.c_uint32(REFUSE & 0xFFFF_0000)
    offered = call(found.seccomp, IS_OFFERED, 0, ctypes.byref(action)) != NOT_OFFERED
    return found if offered else None


def restrict(found: Machine) -> None:
    """Let `socket` fail with EACCES from now on; raises `OSError`."""
    lines = _filter(found)
    code = ctypes.create_string_buffer(b"".join(lines))
    program = struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(code))
    given = ctypes.create_string_buffer(program, len(program))
    call(found.seccomp, SET_FILTER, ALL_THREADS, given, required="seccomp")


def _filter(found: Machine) -> list[bytes]:
    """The program; each line is an operation, how far it jumps on yes and no, and a value."""
    return [
        struct.pack("HBBI", *line)
        for line in (
            (LOAD, 0, 0, ARCHITECTURE_AT),
            (EQUAL, 0, 5, found.architecture),
            (LOAD, 0, 0, NUMBER_AT),
            (AT_LEAST, 3, 0, OTHER_NUMBERS),
            (EQUAL, 2, 0, found.socket),
            (EQUAL, 1, 0, IO_URING_SETUP),
            (RETURN, 0, 0, ALLOW),
            (RETURN, 0, 0, REFUSE),
        )
    ]
