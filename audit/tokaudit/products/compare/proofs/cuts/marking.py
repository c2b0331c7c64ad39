r"""Mark each character of a text as a pre-tokenizer splits it, for all texts at once.

A state guesses what only the rest of a text can tell: that a match goes on, or that none begins
here.  It keeps the threads that have to match in the end (`due`), in the order in which the engine
tries them, and those that must never match (`barred`).  A guess that turns out wrong leads to no
end, so every text has one way to an end, and its marks are its cuts.

For `a+b|a` and the text `aa` the state after the first `a` is one of two: a match of `a+b` that is
due, which has no end here, or the match `a`, with `a+b` barred.  Only the second reaches an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Protocol

from tokaudit.products.compare.proofs.cuts.expression import MATCH, Atom, Expression, Look

JOINED, CUT, GONE = 0, 1, 2  # with the character before, a new piece, in no piece
NOTHING = -1  # the class of what is before a text and after it


class Marking(Protocol):
    """A marker of texts; a text is valid if some path over all its characters may end."""

    @property
    def start(self) -> Any:
        """Return the state before the first character."""
        ...

    def moves(self, state: Any, name: int) -> tuple[tuple[int, Any], ...]:
        """Return the possible marks of a character of this class, with the next states."""
        ...

    def may_end(self, state: Any) -> bool:
        """Return whether the text may end here."""
        ...


@dataclass(frozen=True, slots=True)
class State:
    """The state after some characters of a text."""

    due: tuple[int, ...] = ()
    barred: frozenset[int] = frozenset()
    before: int = NOTHING  # the class of the last character
    was_delimiter: bool | None = None


class SplitMarking:
    """The marking of one Split."""

    def __init__(
        self,
        program: Expression,
        holds: Callable[[Atom, int], bool],
        behavior: str,
        invert: bool,
    ) -> None:
        self.program, self.holds = program, holds
        self.behavior, self.invert = behavior, invert
        self.start = State()
        self.moves = cache(self._moves)
        self._reach = cache(self._reached)

    def may_end(self, state: State) -> bool:
        """Return whether all guesses are resolved."""
        if MATCH in self._reach(tuple(sorted(state.barred)), state.before, NOTHING):
            return False
        return not state.due or MATCH in self._reach(state.due, state.before, NOTHING)

    def _moves(self, state: State, name: int) -> tuple[tuple[int, State], ...]:
        barred = {*self._reach(tuple(sorted(state.barred)), state.before, name)}
        if MATCH in barred:
            return ()
        found: list[tuple[int, State] | None] = []
        if state.due:
            threads = self._reach(state.due, state.before, name)
            better = threads[: threads.index(MATCH)] if MATCH in threads else threads
            found.append(self._after(state, better, barred, name, True, False))
            if MATCH not in threads:
                return tuple(each for each in found if each)
            barred |= {*better}
        fresh = self._reach((self.program.start,), state.before, name)
        found.append(self._after(state, fresh, barred, name, True, True))
        found.append(self._after(state, (), barred | {*fresh}, name, False, False))
        return tuple(each for each in found if each)

    def _after(
        self,
        state: State,
        due: Sequence[int],
        barred: Iterable[int],
        name: int,
        matches: bool,
        begins: bool,
    ) -> tuple[int, State] | None:
        lost = frozenset(self._taking(barred, name))
        left = tuple(at for at in dict.fromkeys(self._taking(due, name)) if at not in lost)
        if matches and not left:
            return None
        delimiter = matches != self.invert
        goes_on = (matches and not begins) or (not matches and self._outside(state))
        mark = _mark(self.behavior, goes_on, state.was_delimiter, delimiter)
        return mark, State(left, lost, name, delimiter)

    def _outside(self, state: State) -> bool:
        """Return whether the last character was outside of a match."""
        return state.was_delimiter is not None and state.was_delimiter == self.invert

    def _taking(self, threads: Iterable[int], name: int) -> Iterator[int]:
        for at in threads:
            atom = self.program.places[at].takes
            if atom is not None and self.holds(atom, name):
                yield self.program.places[at].then[0]

    def _reached(self, threads: Sequence[int], before: int, name: int) -> tuple[int, ...]:
        """Return the instructions that consume a character, and the match, in engine order."""
        found: dict[int, None] = {}
        seen: set[int] = set()
        waiting = list(reversed(threads))
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            place = self.program.places[at]
            if at == MATCH or place.takes is not None:
                found[at] = None
            elif place.look is None or self._passes(
                place.look, name if place.look.ahead else before
            ):
                waiting += reversed(place.then)
        return tuple(found)

    def _passes(self, look: Look, name: int) -> bool:
        return (name != NOTHING and self.holds(look.atom, name)) != look.negated


def _mark(behavior: str, goes_on: bool, was: bool | None, delimiter: bool) -> int:
    """Return the mark of a character that continues a match or a gap."""
    if delimiter and behavior == "Removed":
        return GONE
    joined = {
        "MergedWithPrevious": delimiter and was is False,
        "MergedWithNext": was is True and not delimiter,
        "Contiguous": was is delimiter,
    }
    return JOINED if goes_on or joined.get(behavior, False) else CUT


class Uncut:
    """The marking without any split: every text is one piece."""

    start = False

    def moves(self, state: bool, name: int) -> tuple[tuple[int, bool], ...]:
        """Begin the piece at the first character."""
        return ((JOINED if state else CUT, True),)

    def may_end(self, state: bool) -> bool:
        """Return True: any text may end."""
        return True


class InPieces:
    """A second split, applied to each piece of the first."""

    def __init__(self, outer: Marking, inner: Marking) -> None:
        self.outer, self.inner = outer, inner
        self.start = (outer.start, None)
        self.moves = cache(self._moves)

    def may_end(self, state: tuple[Any, Any]) -> bool:
        """Return whether both may end."""
        at, inside = state
        return self.outer.may_end(at) and (inside is None or self.inner.may_end(inside))

    def _moves(self, state: tuple[Any, Any], name: int) -> tuple[tuple[int, Any], ...]:
        at, inside = state
        over = inside is None or self.inner.may_end(inside)
        found: list[tuple[int, Any]] = []
        for mark, after in self.outer.moves(at, name):
            if mark == GONE:
                found += [(mark, (after, None))] if over else []
            elif mark == JOINED and inside is not None:
                found += [(own, (after, new)) for own, new in self.inner.moves(inside, name)]
            elif over:
                inner = self.inner
                found += [(own, (after, new)) for own, new in inner.moves(inner.start, name)]
        return tuple(found)


def ways(marking: Marking, names: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the marks of every valid path over a text; there must be exactly one."""
    open_ways: list[tuple[tuple[int, ...], Any]] = [((), marking.start)]
    for name in names:
        open_ways = [
            ((*marks, mark), after)
            for marks, state in open_ways
            for mark, after in marking.moves(state, name)
        ]
    return [marks for marks, state in open_ways if marking.may_end(state)]


def short_texts(classes: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all texts of classes by length, while those of a length are at most `most`."""
    length = 1
    while classes**length <= most and length <= 8:
        yield from product(range(classes), repeat=length)
        length += 1
