"""A worker that leaves off some of its rules, so that a test can see what they are for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection

from tokaudit.runtimes.worker.__main__ import main as work
from tokaudit.runtimes.worker.confinement import capabilities, landlock, seccomp

NUMBERS = {
    "prlimit64": (302, 261), "kill": (62, 129), "tgkill": (234, 131), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "pidfd_open": (434, 434), "fcntl": (72, 25),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "setpriority": (141, 140),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "ioprio_set": (251, 30),
    "fork": (57, 0), "vfork": (58, 0), "clone": (56, 220), "clone3": (435, 435),
    "execve": (59, 221), "setsid": (112, 157), "pipe2": (293, 59), "socket": (41, 198),
    "socketpair": (53, 199), "io_uring_setup": (425, 425), "shmget": (29, 194),
    "shmctl": (31, 195), "semget": (64, 190), "semctl": (66, 191), "msgget": (68, 186),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "memfd_create": (319, 279), "add_key": (248, 217), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "unshare": (272, 97), "chroot": (161, 51),
    "sethostname": (170, 161), "chown": (92, 0), "fchownat": (260, 54), "chmod": (90, 0),
    "fchmodat": (268, 53), "utimensat": (280, 88), "setxattr": (188, 5), "flock": (73, 32),
    "unlink": (87, 35), "rmdir": (84, 35), "openat": (257, 56), "rename": (82, 276),
}  # fmt: skip
"""The numbers of calls on x86-64 and on ARM 64, 0 where there is none."""


def main(*off: str) -> None:
    """Work as a worker does, without these rules."""
    for rule in off:
        kind, _, name = rule.partition(" ")
        if kind == "call":
            _allow(name)
        elif kind in WITHOUT:
            WITHOUT[kind]()
    work()


def _allow(name: str) -> None:
    """Let one call through, whatever its arguments are."""
    before = seccomp.rules

    def rules(machine: seccomp.Machine, more: Collection[str] = ()) -> list[seccomp.Rule]:
        number = NUMBERS[name][machine.name == "aarch64"]
        free = [seccomp.Rule(name, number)] if number else []
        return free + [rule for rule in before(machine, more) if rule.name != name]

    seccomp.rules = rules


def _without_landlock() -> None:
    landlock.version = lambda: 0


def _without_limits() -> None:
    sys.modules["tokaudit.runtimes.worker.__main__"].limit = lambda memory, sandboxed=False: None


def _with_capabilities() -> None:
    capabilities.drop = lambda keep_reading=False: None


WITHOUT: dict[str, Callable[[], None]] = {
    "landlock": _without_landlock,
    "limits": _without_limits,
    "capabilities": _with_capabilities,
}
