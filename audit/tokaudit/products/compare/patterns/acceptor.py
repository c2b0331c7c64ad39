"""An automaton that guesses each character's part in a match, and rejects wrong guesses.

Of every character it guesses whether a match begins with it, goes on with it, or leaves it out.  A
state keeps what is needed to find a guess wrong later:

* `live`: the threads of the match that is under way, in order of priority;
* `never`: threads that must not reach a match, whatever comes.  These are the threads that had
  priority over a match which was guessed to end, and those that began at a character which was
  guessed to be left out;
* `lookbehinds`: which look-behinds pass, as they see the character before.

Threads are places in a program, so there are finitely many states.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple, cast

from tokaudit.products.compare.patterns.classes import Partition
from tokaudit.products.compare.patterns.program import MATCH, Check, Fork, Program, Step
from tokaudit.products.compare.patterns.tree import Look

END = -1  # in the place of a class: the text is over
Threads = tuple[int, ...]
Passing = frozenset[Look]


class Guess(Enum):
    """The part of a character in a match of a pattern."""

    BEGINS = auto()  # a match begins with it
    GOES_ON = auto()  # the match goes on with it
    OUTSIDE = auto()  # no match has it
    OUTSIDE_BEHIND_EMPTY = auto()  # the same, and an empty match lies before it


class State(NamedTuple):
    """State of an acceptor between two characters."""

    live: Threads
    never: frozenset[int]
    lookbehinds: Passing


class Acceptor:
    """An acceptor of correctly guessed texts of one program, over classes of characters."""

    def __init__(self, program: Program, partition: Partition) -> None:
        self.program = program
        classes = range(len(partition.characters))
        looks = {step.look for step in program.steps if isinstance(step, Check)}
        met = {look: partition.within(look.set) for look in looks}
        passing = [frozenset(look for look in looks if name in met[look]) for name in classes]
        passing.append(frozenset(look for look in looks if look.edge))  # END is the last
        self.lookaheads = [frozenset(look for look in each if look.ahead) for each in passing]
        self.lookbehinds = [
            each - ahead for each, ahead in zip(passing, self.lookaheads, strict=True)
        ]
        self.taken = [
            partition.within(step.set) if isinstance(step, Step) else frozenset[int]()
            for step in program.steps
        ]
        self.known: dict[tuple[Threads, Passing, int], Threads] = {}

    def start(self) -> State:
        """Return the state before the first character."""
        return State((), frozenset(), self.lookbehinds[END])

    def moves(self, state: State, name: int) -> Iterator[tuple[Guess, State]]:
        """Yield the guesses for a character of this class that may still be right."""
        never = set(self.reach(tuple(sorted(state.never)), state.lookbehinds, name))
        if MATCH in never:
            return
        if state.live:
            found = self.reach(state.live, state.lookbehinds, name)
            best = found.index(MATCH) if MATCH in found else None
            yield from self.took(Guess.GOES_ON, found[:best], never, name)
            if best is None:
                return
            never |= set(found[:best])
        fresh = self.reach((self.program.start,), state.lookbehinds, name)
        empty = MATCH in fresh
        fresh = fresh[: fresh.index(MATCH)] if empty else fresh
        yield from self.took(Guess.BEGINS, fresh, never, name)
        # An empty match right after another match does not count.
        cut = empty and not state.live
        outside = Guess.OUTSIDE_BEHIND_EMPTY if cut else Guess.OUTSIDE
        yield from self.took(outside, (), never | set(fresh), name)

    def may_end(self, state: State) -> bool:
        """Return whether the text may end here: its last match is complete, all guesses right."""
        if MATCH in self.reach(tuple(sorted(state.never)), state.lookbehinds, END):
            return False
        return not state.live or MATCH in self.reach(state.live, state.lookbehinds, END)

    def took(
        self, guess: Guess, live: Threads, never: set[int], name: int
    ) -> Iterator[tuple[Guess, State]]:
        """Yield the state after the character, unless a match has no thread left."""
        lost = frozenset(self.taking(tuple(sorted(never)), name))
        left = tuple(thread for thread in self.taking(live, name) if thread not in lost)
        if left or guess not in (Guess.BEGINS, Guess.GOES_ON):
            yield guess, State(left, lost, self.lookbehinds[name])

    def taking(self, threads: Threads, name: int) -> Threads:
        """Return the next positions of threads that accept this class, each position once."""
        taken, steps = self.taken, self.program.steps
        return tuple(
            dict.fromkeys(cast(Step, steps[at]).then for at in threads if name in taken[at])
        )

    def reach(self, threads: Threads, lookbehinds: Passing, name: int) -> Threads:
        """Return the reachable steps that take a character, and the match, in thread order.

        `name` is the class of the character ahead.  A place that was reached already is left out:
        the thread that came first does all that the later one could.
        """
        key = threads, lookbehinds, name
        if key not in self.known:
            self.known[key] = self._reach(threads, lookbehinds | self.lookaheads[name])
        return self.known[key]

    def _reach(self, threads: Threads, passing: Passing) -> Threads:
        found, seen, stack = [], set(), list(reversed(threads))
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            step = self.program.steps[at]
            if at == MATCH or isinstance(step, Step):
                found.append(at)
            elif isinstance(step, Fork):
                stack.extend(reversed(step.then))
            elif step.look in passing:
                stack.append(step.then)
        return tuple(found)
