"""Restrict this process by Linux Landlock to a few folders, and no TCP.

A Landlock version is a number that the kernel tells; each adds rights that can be taken away.  No
privilege is needed, nothing can be given back, and what the process starts inherits it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from tokaudit.runtimes.worker.confinement.syscalls import NOT_OFFERED, call

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
ASK_VERSION = 1
PATH_BENEATH, NET_PORT = 1, 2
CONNECT_TCP = 2

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, DEVICE_CONTROL = 1 << 13, 1 << 14, 1 << 15
MAKE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
READING = READ_FILE | READ_FOLDER
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL
BIND_AND_CONNECT_TCP = 0b11
ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

NULL_DEVICE = "/dev/null"


def version() -> int:
    """Return the Landlock version of the kernel; 0 without Landlock."""
    found = call(CREATE_RULESET, None, 0, ASK_VERSION)
    return 0 if found == NOT_OFFERED else found


def restrict(
    folder: str | None,
    readable: Iterable[str] = (),
    programs: Iterable[str] = (),
    ports: Iterable[int] = (),
) -> None:
    """Restrict this process to readable paths and one writable folder; raise `OSError`.

    It may start those programs and connect to those ports.  The current thread is restricted, so
    it must be called before there is another.
    """
    offered = version()
    ruleset = call(CREATE_RULESET, *_rights(offered), 0, required="Landlock")
    try:
        for path in readable:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                _allow(ruleset, path, READING)
        for path in programs:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                _allow(ruleset, path, READING | EXECUTE)
        for port in ports if offered >= 4 else ():
            _allow_port(ruleset, port)
        if folder is not None:
            _allow(ruleset, folder, READING | _writing(offered))
        _allow(ruleset, NULL_DEVICE, (READING | _writing(offered)) & ~DEVICE_CONTROL)
        call(RESTRICT_SELF, ruleset, 0, required="Landlock")
    finally:
        os.close(ruleset)


def _writing(offered: int) -> int:
    """Return the rights to change files that this version can remove."""
    later = {2: REFER, 3: TRUNCATE, 5: DEVICE_CONTROL}
    return (
        WRITE_FILE | MAKE_AND_REMOVE | sum(bit for since, bit in later.items() if offered >= since)
    )


def _rights(offered: int) -> tuple[ctypes.Array[ctypes.c_char], int]:
    """Return all removed rights in the kernel's structure of that version, with its size."""
    rights = [EXECUTE | READING | _writing(offered)]
    rights += [BIND_AND_CONNECT_TCP] if offered >= 4 else []
    rights += [ABSTRACT_SOCKETS_AND_SIGNALS] if offered >= 6 else []
    packed = struct.pack(f"={len(rights)}Q", *rights)
    return ctypes.create_string_buffer(packed, len(packed)), len(packed)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Restore rights below one path; for a file, only those about files."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= OF_FILES
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor), 12)
        call(ADD_RULE, ruleset, PATH_BENEATH, rule, 0, required="Landlock")
    finally:
        os.close(descriptor)


def _allow_port(ruleset: int, port: int) -> None:
    """Restore the right to connect to one port, at any address."""
    rule = ctypes.create_string_buffer(struct.pack("=QQ", CONNECT_TCP, port), 16)
    call(ADD_RULE, ruleset, NET_PORT, rule, 0, required="Landlock")
