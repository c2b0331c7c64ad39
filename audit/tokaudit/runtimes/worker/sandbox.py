"""What a worker gives up before it reads anything of a subject, as far as the kernel offers it.

What is offered is asked in the same way by the parent, for the report, and by the worker.  A worker
that cannot give up what is offered ends, so what the report says holds.
"""

from __future__ import annotations

import sys

KEEP_PRIVILEGES_AS_THEY_ARE = 38  # PR_SET_NO_NEW_PRIVS
NONE = "none"


def offered() -> str:
    """The protections of this platform, in one line; a phrase for each.

    >>> offered() == NONE or offered().startswith("no new privileges")
    True
    """
    if sys.platform != "linux":
        return NONE
    from tokaudit.runtimes.worker import landlock, seccomp

    version = landlock.version()
    found = [f"no writing outside a temporary folder (Landlock {version})"] if version else []
    found += ["no sockets (seccomp)"] if seccomp.machine() else []
    return ", ".join(["no new privileges", *found])


def confine(folder: str | None) -> None:
    """Give up what is offered, for good; `folder` is where this process may still write."""
    if sys.platform != "linux":
        return
    import ctypes

    from tokaudit.runtimes.worker import landlock, seccomp

    ctypes.CDLL(None).prctl(KEEP_PRIVILEGES_AS_THEY_ARE, 1, 0, 0, 0)  # the others need it
    if landlock.version():
        landlock.restrict(folder)
    if machine := seccomp.machine():
        seccomp.restrict(machine)
