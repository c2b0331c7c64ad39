"""The sandbox that a worker enters before it reads a subject.

What is offered is asked in the same way by the parent, for the report, and by the worker.  A worker
that cannot give up what is offered ends, so what the report says holds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

NONE = "none"


@dataclass(frozen=True)
class Protection:
    """An act that a worker cannot do, and the kernel feature that prevents it."""

    name: str
    by: str = ""
    since: int = 1

    def __str__(self) -> str:
        version = f" {self.since}" if self.since > 1 else ""
        return f"{self.name} ({self.by}{version})" if self.by else self.name


LANDLOCK, SECCOMP = "Landlock", "seccomp"
CAPABILITIES = "no capabilities"
PROTECTIONS = (
    Protection("no new privileges"),
    Protection(CAPABILITIES),
    Protection("not dumpable"),
    Protection("reads only libraries and files of the subject", LANDLOCK),
    Protection("writes only in a temporary folder", LANDLOCK),
    Protection("truncates nothing else", LANDLOCK, 3),
    Protection("no TCP", LANDLOCK, 4),
    Protection("signals no other process", LANDLOCK, 6),
    Protection("system calls of a list only", SECCOMP),
    Protection("no processes", SECCOMP),
    Protection("no sockets", SECCOMP),
)


def offered() -> str:
    """Describe the protections of this platform in one line.

    >>> offered() == NONE or offered().startswith("no new privileges")
    True
    """
    versions = _versions()
    held = [str(one) for one in PROTECTIONS if one.since <= versions.get(one.by, 0)]
    return ", ".join(held).replace(CAPABILITIES, _capabilities(), 1) or NONE


def lacking() -> str:
    """Describe the protections that this platform lacks; empty if it has all."""
    versions = _versions()
    return ", ".join(str(one) for one in PROTECTIONS if one.since > versions.get(one.by, 0))


@dataclass(frozen=True)
class Needs:
    """A worker's needs beyond a library: programs, ports, and handed files."""

    programs: tuple[str, ...] = ()
    ports: tuple[int, ...] = ()
    files: tuple[int, ...] = ()

    @property
    def calls(self) -> tuple[str, ...]:
        """Return the rows of system calls for these needs."""
        needed = (("files", self.files), ("program", self.programs), ("socket", self.ports))
        return tuple(name for name, asked in needed if asked)


def confine(folder: str | None, readable: Iterable[str] = (), needs: Needs = Needs()) -> None:
    """Give up all privileges possible, for good; `folder` stays writable."""
    if sys.platform != "linux":
        return
    from tokaudit.runtimes.worker.confinement import capabilities, landlock, seccomp
    from tokaudit.runtimes.worker.confinement.interpreter import closed_to_root

    capabilities.gain_no_privileges()  # the others need it
    capabilities.hide()
    if landlock.version():
        landlock.restrict(folder, readable, needs.programs, needs.ports)
    capabilities.drop(keep_reading=closed_to_root())
    if machine := seccomp.machine():
        seccomp.restrict(machine, needs.calls)


def _capabilities() -> str:
    """Return the capabilities kept, if root's libraries are in another user's folder."""
    from tokaudit.runtimes.worker.confinement.interpreter import closed_to_root

    return f"{CAPABILITIES} but to read" if closed_to_root() else CAPABILITIES


def _versions() -> dict[str, int]:
    """Map kernel features to versions, if present; "" is every Linux."""
    if sys.platform != "linux":
        return {}
    from tokaudit.runtimes.worker.confinement import landlock, seccomp

    return {"": 1, LANDLOCK: landlock.version(), SECCOMP: int(seccomp.machine() is not None)}
