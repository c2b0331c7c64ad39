r"""A split pattern as a small program, for the checker of splits.

A class is not taken apart: its whole source is an `Atom`, and the engine is asked which characters
it matches.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MATCH = 0  # the place of the program where a match is complete
LONGEST = 2_000  # places


class Unreadable(Exception):
    """Raised for an expression that this reader does not support."""


class MatchesNothing(Unreadable):
    """Raised for an expression that matches an empty text."""


@dataclass(frozen=True, slots=True)
class Atom:
    """Source that matches one character."""

    source: str
    fold: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A condition on a neighbour: `atom` matches it, or with `negated` does not."""

    atom: Atom
    ahead: bool
    negated: bool


@dataclass
class Place:
    """One instruction: consume a character, look at one, or branch."""

    takes: Atom | None = None
    look: Look | None = None
    then: tuple[int, ...] = ()


@dataclass
class Expression:
    """A program: its instructions, the first of which is the match, and its start."""

    places: list[Place] = field(default_factory=lambda: [Place()])
    start: int = MATCH

    def add(self, place: Place) -> int:
        """Add an instruction and return its number."""
        if len(self.places) > LONGEST:
            raise Unreadable("a long pattern")
        self.places.append(place)
        return len(self.places) - 1


Node = tuple[object, ...]
"""("atom", Atom) | ("look", Look) | ("row", nodes) | ("any", nodes) | ("repeat", node, ...)."""


def single(node: Node) -> Atom:
    """Return the single atom of a node that matches or looks at one character."""
    while node[0] == "row" and len(node[1]) == 1:  # type: ignore[arg-type]
        node = node[1][0]  # type: ignore[index]
    if node[0] != "atom":
        raise Unreadable("a look-around of more than one character")
    return node[1]  # type: ignore[return-value]


def program(tree: Node) -> Expression:
    """Compile a parsed pattern."""
    made = Expression()
    made.start = _built(made, tree, MATCH)
    return made


def _built(made: Expression, node: Node, then: int) -> int:
    """Return the start of a thread that matches a node and continues at `then`."""
    kind, inner, *more = node
    if kind == "atom":
        return made.add(Place(takes=inner, then=(then,)))  # type: ignore[arg-type]
    if kind == "look":
        return made.add(Place(look=inner, then=(then,)))  # type: ignore[arg-type]
    if kind == "any":
        return made.add(Place(then=tuple(_built(made, each, then) for each in inner)))  # type: ignore[attr-defined]
    if kind == "row":
        for each in reversed(inner):  # type: ignore[call-overload]
            then = _built(made, each, then)
        return then
    return _repeated(made, inner, then, *more)  # type: ignore[arg-type]


def _repeated(
    made: Expression, node: Node, then: int, least: int, most: int | None, kind: str
) -> int:
    """Unroll a repeat; a possessive one stops only if no more could be matched."""
    stop = then
    if kind == "possessive" and then != MATCH:
        stop = made.add(Place(look=Look(single(node), True, True), then=(then,)))

    def either(more: int) -> tuple[int, ...]:
        return (stop, more) if kind == "lazy" else (more, stop)

    if most is None:
        at = made.add(Place())
        made.places[at].then = either(_built(made, node, at))
    else:
        at = then
        for _ in range(most - least):
            at = made.add(Place(then=either(_built(made, node, at))))
    for _ in range(least):
        at = _built(made, node, at)
    return at
