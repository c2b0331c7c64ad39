"""A common memory budget for the processes of an audit, enforced by their parent.

Each worker has limits of its own, which the kernel keeps.  What several use together, and what a
worker could change about itself, only a look at all of them shows; who has too much is killed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tokaudit.foundation.errors import OutOfMemory
from tokaudit.foundation.exhaustion import exhausted
from tokaudit.foundation.own_process import MEMORY_OF_ALL
from tokaudit.runtimes.worker.resources.usage import (
    MOST_ENTRIES,
    Usage,
    computes,
    family,
    is_in_memory,
    size_of,
    usage,
)

HEADROOM = 0.1  # of the budget, for what is taken between two looks
SELDOM, OFTEN = 0.05, 0.01  # seconds between two looks, when less and when more than half is used
LOOKS_AT_REST = 10  # of which one is taken, when nobody has been asked anything
MOST_THREADS = 256
LARGEST_FOLDER = 256 * 1024 * 1024
LONGEST_GAP = 0.5  # seconds that one look can tell of
LEAST_COMPUTED = 0.1  # of the time; whoever computes less than that is asleep
LATITUDE = 2.0  # seconds of processor time after which a worker should have ended itself
LONG_REST = 0.5  # seconds; one that is asked again at once only seems to rest
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Excess:
    """The excess that a worker was killed for; `others` if most memory was not its own.

    One that was ended `at_rest` had no question to answer: what it holds can be loaded again.
    """

    how: str
    late: bool = False
    others: bool = False
    at_rest: bool = False


@dataclass
class Member:
    """A worker, how to kill it, and why that was done."""

    pid: int
    kill: Callable[[], None]
    folder: str | None = None
    with_children: bool = False
    processor: float = float("inf")  # seconds that it may have used in all by now
    may_sleep: float = float("inf")  # seconds in which it computes nothing, of this answer
    excess: Excess | None = None
    rests: bool = False  # it has answered, and waits for the next question
    spare: bool = False  # another can be started in its place
    _rests_since: float = 0.0
    _begun: float = 0.0  # its processor time when it was asked
    _asleep: float = 0.0
    _seen: tuple[float, float] = (0.0, 0.0)  # when it was looked at last, and its processor time

    def allow(self, seconds: float, asleep: float = float("inf")) -> None:
        """Allow this much more processor time, and this much sleep."""
        used = self.usage()
        computed = used.processor if used else 0.0
        self.processor, self._begun = computed + seconds + LATITUDE, computed
        self._asleep, self._seen, self.may_sleep = 0.0, (time.monotonic(), computed), asleep
        self.rests = False

    def computed(self, used: Usage) -> float:
        """Return the processor seconds of this answer so far."""
        return used.processor - self._begun

    def rest(self) -> None:
        """Record that it has answered, and sleeps until the next question."""
        self.may_sleep, self.rests = float("inf"), True
        self._rests_since = time.monotonic()

    @property
    def can_be_spared(self) -> bool:
        """Return whether it is idle for a while and replaceable."""
        return self.spare and self.rests and self.rested > LONG_REST

    @property
    def rested(self) -> float:
        """Return the seconds since its last answer."""
        return time.monotonic() - self._rests_since

    def usage(self) -> Usage | None:
        """Return its current usage; None if it has ended."""
        if not self.with_children:
            return usage(self.pid)
        found = [used for pid in family(self.pid) if (used := usage(pid))]
        return sum(found, Usage()) if found else None

    def looked_at(self) -> Usage | None:
        """Return its current usage with its files, which may be in memory."""
        used = self.usage()
        if used is None:
            return None
        self._note_sleep(used)
        if self.folder is None:
            return used
        files = size_of(self.folder)
        in_memory = files if is_in_memory(self.folder) else 0
        return replace(used, files=files, memory=used.memory + in_memory)

    @property
    def overslept(self) -> bool:
        """Return whether it has slept longer than allowed."""
        return self._asleep > self.may_sleep

    def _note_sleep(self, used: Usage) -> None:
        """Add the time since the last look if it slept, not if it only waited for a processor."""
        now, (before, computed) = time.monotonic(), self._seen
        self._seen = now, used.processor
        passed = min(now - before, LONGEST_GAP)
        idle = used.waits and used.processor - computed < LEAST_COMPUTED * passed
        if idle and self.may_sleep < float("inf"):
            pids = family(self.pid) if self.with_children else (self.pid,)
            self._asleep += 0.0 if any(map(computes, pids)) else passed


@dataclass
class Budget:
    """The workers of an audit, watched by a thread while there are any.

    `parent` is the process whose memory counts too, from what it has when the budget is made: an
    audit may be a part of a large program.
    """

    most: int = MEMORY_OF_ALL
    parent: int | None = None
    _members: dict[int, Member] = field(default_factory=dict)
    _ends: list[Callable[[OutOfMemory], None]] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _thread: threading.Thread | None = None
    _before: int = field(init=False)

    def __post_init__(self) -> None:
        self._before = self._of_parent()

    @property
    def of_one(self) -> int:
        """Return the address space of one worker, in bytes."""
        return self.most * 4 // 5

    def add(self, member: Member) -> None:
        """Watch a worker, if the system shows its usage."""
        if member.usage() is None:
            return
        with self._lock:
            self._members[member.pid] = member
            self._look_after()

    @contextmanager
    def of_parent(self, end: Callable[[OutOfMemory], None]) -> Iterator[None]:
        """Call `end` if the parent alone exhausts the budget during the block."""
        with self._lock:
            if self.parent is not None:
                self._ends.append(end)
                self._look_after()
        try:
            yield
        finally:
            with self._lock:
                if end in self._ends:
                    self._ends.remove(end)

    def _look_after(self) -> None:
        if self._thread is None:
            watch = threading.Thread(target=self._watch, name="tokaudit-budget", daemon=True)
            watch.start()
            self._thread = watch

    def remove(self, member: Member) -> None:
        """Stop watching a worker."""
        with self._lock:
            self._members.pop(member.pid, None)

    def look(self) -> float:
        """Kill workers that use too much; return the seconds until the next look."""
        with self._lock:
            members = list(self._members.values())
        found = [(used, member) for member in members if (used := member.looked_at())]
        for used, member in found:
            if excess := _excess(used, member):
                _end(member, excess)
        own = max(0, self._of_parent() - self._before)
        total = own + sum(used.memory for used, _ in found)
        if found and total > self.most * (1 - HEADROOM):
            _end(*_who_ends(found, total, self.most))
        if own > self.most * (1 - HEADROOM):
            with self._lock:
                ends = list(self._ends)
            for end in ends:
                end(OutOfMemory(_of_parent_alone(own, self.most)))
        return OFTEN if total > self.most / 2 else SELDOM

    def _of_parent(self) -> int:
        used = usage(self.parent) if self.parent is not None else None
        return used.memory if used else 0

    def _watch(self) -> None:
        pause, left_out = SELDOM, 0
        while True:
            time.sleep(pause)  # an event would ask for a lock, and there may be no memory for one
            with self._lock:
                if not self._members and not self._ends:
                    self._thread = None
                    return
                rests = not self._ends and all(each.rests for each in self._members.values())
            if rests and (left_out := left_out + 1) < LOOKS_AT_REST:
                continue
            left_out = 0
            try:
                pause = self.look()
            except Exception as error:
                if not exhausted(error):
                    raise
                pause = OFTEN  # there was no memory to look, which is when it matters most


def _excess(used: Usage, member: Member) -> Excess | None:
    """Return the excess of a worker by itself; None without one."""
    if used.threads > MOST_THREADS:
        return Excess(f"ended with {used.threads} threads; a worker may have {MOST_THREADS}")
    if used.processor > member.processor:
        return Excess("no answer within its processor time", late=True)
    if member.overslept:
        return Excess(f"no answer, and {member.may_sleep:g} s without computing", late=True)
    if used.files > LARGEST_FOLDER:
        most = f"{LARGEST_FOLDER:,} bytes or {MOST_ENTRIES:,} files, or folders that are too deep"
        return Excess(f"ended for what it wrote: more than {most}")
    return None


def _who_ends(
    found: Sequence[tuple[Usage, Member]], total: int, most: int
) -> tuple[Member, Excess]:
    """Return the worker to end if all together use too much: an idle one, else the largest.

    Of those at rest, who holds much and was not asked for long.  By memory alone, two large ones
    that are asked in turn would end each other at every question, while a third that nobody asks
    any more stays.
    """
    spared = [(used, member) for used, member in found if member.can_be_spared]
    if spared:
        used, member = max(spared, key=lambda pair: pair[0].memory * pair[1].rested)
        return member, replace(_too_much(used.memory, total, most), at_rest=True)
    used, member = max(found, key=lambda pair: pair[0].memory)
    return member, _too_much(used.memory, total, most)


def _too_much(own: int, total: int, most: int) -> Excess:
    used = f"{own // MEGABYTE:,} of the {total // MEGABYTE:,} MB that the audit used"
    how = f"out of memory: {used}; it may use {most // MEGABYTE:,} MB (--memory)"
    return Excess(how, others=own < total / 2)


def _of_parent_alone(own: int, most: int) -> str:
    used = f"what was read and computed took {own // MEGABYTE:,} MB"
    return f"out of memory: {used}; the audit may use {most // MEGABYTE:,} MB (--memory)"


def _end(member: Member, excess: Excess) -> None:
    if member.excess is None:
        member.excess = excess
        member.kill()
