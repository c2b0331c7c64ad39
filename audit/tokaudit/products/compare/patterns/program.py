"""Compile a pattern's tree to a program of small steps, as in Thompson's construction.

A thread of the program is the place where it goes on.  `Fork` names its places in the order in
which the engine tries them: that order is all there is to priority, and to greedy and lazy.

A possessive repeat of single characters is a greedy one that may not stop while another would do:
a look-around says so.  At the very end of a pattern nothing can fail after a possessive part, so
it is as good as a plain one.  Elsewhere it is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.products.compare.patterns.classes import atoms_of
from tokaudit.products.compare.patterns.tree import (
    Atom,
    Choice,
    Concatenation,
    Look,
    Node,
    NotIn,
    Repeat,
    Set,
    Take,
    one_of,
)
from tokaudit.products.compare.patterns.verdicts import Undecidable

MATCH = 0  # the place where a match is complete
LONGEST = 3_000  # steps


@dataclass(frozen=True, slots=True)
class Step:
    """Consumes a character of the set and continues."""

    set: Set
    then: int


@dataclass(frozen=True, slots=True)
class Check:
    """Continues if the look-around passes."""

    look: Look
    then: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Continues at each of the positions, in order of preference."""

    then: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A list of steps, the first of which is the match, and the start of a thread."""

    steps: tuple[Step | Check | Fork, ...]
    start: int

    def atoms(self) -> Iterator[Atom]:
        """Yield all atoms in the program."""
        for step in self.steps:
            if isinstance(step, Step):
                yield from atoms_of(step.set)
            elif isinstance(step, Check):
                yield from atoms_of(step.look.set)


def program(tree: Node) -> Program:
    """Compile a pattern's tree.

    >>> from tokaudit.products.compare.patterns.syntax import parse
    >>> from tokaudit.products.compare.patterns.tree import Dialect
    >>> [type(step).__name__ for step in program(parse("a?|b", Dialect.RUST)).steps]
    ['Fork', 'Step', 'Fork', 'Step', 'Fork']
    """
    builder = _Builder()
    builder.add(Fork(()))  # the match itself leads nowhere
    start = builder.build(tree, MATCH)
    return Program(tuple(builder.steps), start)


class _Builder:
    """Builds backwards, because every step names its successor."""

    def __init__(self) -> None:
        self.steps: list[Step | Check | Fork] = []

    def add(self, step: Step | Check | Fork) -> int:
        if len(self.steps) >= LONGEST:
            raise Undecidable("a pattern of more than 3,000 steps")
        self.steps.append(step)
        return len(self.steps) - 1

    def build(self, node: Node, then: int) -> int:
        """Return the start of a thread that matches the node and continues at `then`."""
        if isinstance(node, Take):
            return self.add(Step(node.set, then))
        if isinstance(node, Look):
            return self.add(Check(node, then))
        if isinstance(node, Concatenation):
            for each in reversed(node.nodes):
                then = self.build(each, then)
            return then
        if isinstance(node, Choice):
            return self.add(Fork(tuple(self.build(each, then) for each in node.nodes)))
        return self.repeat(node, then)

    def repeat(self, node: Repeat, then: int) -> int:
        stop = then  # where a thread goes that takes no more, though it could
        if node.greed == "possessive" and then != MATCH:
            single = one_of(node.node)
            if single is None:
                raise Undecidable("a possessive repeat of other than one character")
            stop = self.add(Check(Look(True, NotIn(single), True), then))
        if node.most is None:
            at = self.loop(node, stop)
        else:
            at = then
            for _ in range(node.most - node.least):
                more = self.build(node.node, at)
                at = self.add(Fork((stop, more) if node.greed == "lazy" else (more, stop)))
        for _ in range(node.least):
            at = self.build(node.node, at)
        return at

    def loop(self, node: Repeat, stop: int) -> int:
        at = self.add(Fork(()))
        more = self.build(node.node, at)
        self.steps[at] = Fork((stop, more) if node.greed == "lazy" else (more, stop))
        return at
