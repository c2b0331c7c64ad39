"""Restrict this process to the system calls that a library needs, by an allow-list.

`system_calls.csv` is the list: the number of each call on both machines, and where one argument
decides, which one and the values that it may have (`own` is this process, `flag` a bit that must be
set, `without` one that must not).  All others are refused, those too that a later kernel adds.
`more_system_calls.csv` has what a worker needs that is handed files, and an adapter that starts a
program or asks a server; it takes the place of what has the same name.  Any other process can start
threads and no process, and it can make no socket; `io_uring` would be a way around every rule.

`refused_calls.csv` has the error of calls that are refused with another one than EPERM, so that a
library goes on differently.  Without an error a call succeeds and does nothing: a worker removes
no file, since one that is open or mapped would keep its bytes where no look at the folder finds
them.  The parent removes them with the folder.  A file without a name (`O_TMPFILE`) is refused, and
a file is moved as to another disk, by a copy.
"""

from __future__ import annotations

import csv
import ctypes
import errno
import os
import struct
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from tokaudit.runtimes.worker.confinement.syscalls import NOT_OFFERED, call

SET_FILTER, IS_OFFERED = 1, 2
ALL_THREADS = 1
ALLOW, FAIL = 0x7FFF_0000, 0x0005_0000
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16  # in the data that a filter sees
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
OTHER_NUMBERS = 0x4000_0000  # of a second way to call that x86-64 has
FIRST_UNKNOWN = 500  # calls that are newer than this list do not exist, so that a library goes on

Line = tuple[int, int, int, int]
"""An operation, how far it jumps on yes and on no, and a value."""


@dataclass(frozen=True)
class Machine:
    """An architecture, and its numbers of the ruled calls."""

    name: str
    architecture: int
    seccomp: int

    @property
    def errors(self) -> dict[int, int]:
        """Return the errors of refused calls, if not EPERM; 0 means success."""
        rows = (row for row in _rows("refused_calls.csv") if row[self.name])
        return {int(row[self.name]): getattr(errno, row["error"] or "", 0) for row in rows}


@dataclass(frozen=True)
class Rule:
    """A call that is allowed, always or for some values of one argument."""

    name: str
    number: int
    argument: int | None = None
    values: tuple[int, ...] = ()
    flag: int = 0
    without: int = 0


MACHINES = (Machine("x86_64", 0xC000003E, 317), Machine("aarch64", 0xC00000B7, 277))


def machine() -> Machine | None:
    """Return this machine, if its calls are known and the kernel has filters."""
    here = os.uname().machine
    found = next((one for one in MACHINES if one.name == here), None)
    if found is None or sys.maxsize < 2**32:
        return None
    action = ctypes.c_uint32(FAIL)
    offered = call(found.seccomp, IS_OFFERED, 0, ctypes.byref(action)) != NOT_OFFERED
    return found if offered else None


def rules(found: Machine, more: Collection[str] = ()) -> list[Rule]:
    """Return this process's rules; `more` is *files*, *program* or *socket*."""
    rows = [*_rows("system_calls.csv")]
    rows += [row for row in _rows("more_system_calls.csv") if row["for"] in more]
    chosen = {row["name"]: row for row in rows if row[found.name]}
    return [_rule(row, found) for row in chosen.values()]


@cache
def _rows(name: str) -> tuple[Mapping[str, str], ...]:
    table = Path(__file__).with_name(name).read_text("ascii")
    return tuple(csv.DictReader(table.splitlines()))


def restrict(found: Machine, more: Collection[str] = ()) -> None:
    """Refuse every other call from now on, in all threads; raise `OSError`."""
    lines = [struct.pack("HBBI", *line) for line in program(found, rules(found, more))]
    code = ctypes.create_string_buffer(b"".join(lines))
    packed = struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(code))
    given = ctypes.create_string_buffer(packed, len(packed))
    call(found.seccomp, SET_FILTER, ALL_THREADS, given, required="seccomp")


def program(found: Machine, allowed: Iterable[Rule]) -> list[Line]:
    """Build the filter; the call fails if no rule returns."""
    return [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, found.architecture),
        (RETURN, 0, 0, FAIL | errno.EPERM),
        (LOAD, 0, 0, NUMBER_AT),
        (AT_LEAST, 0, 1, OTHER_NUMBERS),
        (RETURN, 0, 0, FAIL | errno.EPERM),
        *chain.from_iterable(map(_lines, allowed)),
        *chain.from_iterable(_fails(number, code) for number, code in found.errors.items()),
        (AT_LEAST, 0, 1, FIRST_UNKNOWN),
        (RETURN, 0, 0, FAIL | errno.ENOSYS),
        (RETURN, 0, 0, FAIL | errno.EPERM),
    ]


def _lines(rule: Rule) -> list[Line]:
    """Build the lines for one call; the kernel compares 32 bits of an argument."""
    if rule.argument is None:
        return [(EQUAL, 0, 1, rule.number), (RETURN, 0, 0, ALLOW)]
    tests = [(EQUAL, value) for value in rule.values]
    tests += [(ANY_BIT, rule.flag)] if rule.flag else []
    body = [(LOAD, 0, 0, ARGUMENTS_AT + 8 * rule.argument)]
    for test, value in tests:
        body += [(test, 0, 1, value), (RETURN, 0, 0, ALLOW)]
    if rule.without:
        body += [(ANY_BIT, 1, 0, rule.without), (RETURN, 0, 0, ALLOW)]
    return [(EQUAL, 0, len(body) + 1, rule.number), *body, (RETURN, 0, 0, FAIL | errno.EPERM)]


def _fails(number: int, code: int) -> list[Line]:
    return [(EQUAL, 0, 1, number), (RETURN, 0, 0, FAIL | code)]


def _rule(row: Mapping[str, str], found: Machine) -> Rule:
    number = int(row[found.name])
    if not row["argument"]:
        return Rule(row["name"], number)
    kind, _, bit = row["values"].partition(" ")
    if kind in ("flag", "without"):
        place = int(row["argument"])
        bits = {kind: int(bit, 0)}
        return Rule(row["name"], number, place, (), bits.get("flag", 0), bits.get("without", 0))
    values = tuple(os.getpid() if v == "own" else int(v, 0) for v in row["values"].split("|"))
    return Rule(row["name"], number, int(row["argument"]), values)
