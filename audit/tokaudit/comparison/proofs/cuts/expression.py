r"""The checker's own reader of split patterns: from text to a small program, in one pass.

It knows little on purpose: characters, classes, groups, alternatives, repeats, and a look at one
neighbour.  A class is not taken apart: its whole source is an `Atom`, and the engine is asked which
characters it matches.  What is not known here raises `Unreadable`; the claim is then not checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MATCH = 0  # the place of the program where a match is complete
LONGEST = 2_000  # places
ESCAPED = re.compile(
    r"\\(?:[pP]\{[^}]*\}|x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)", re.S
)
OF_ONE = frozenset("pPsSdDwWnrtfvexu")  # letters whose escapes stand for one character
COUNT = re.compile(r"\{(\d*)(,?)(\d*)\}")
FLAGS = re.compile(r"\(\?(i?):|\(\?i\)")
LOOKS = {"(?=": (True, False), "(?!": (True, True), "(?<=": (False, False), "(?<!": (False, True)}


class Unreadable(Exception):
    """What this reader does not know, so that nothing is checked."""


@dataclass(frozen=True, slots=True)
class Atom:
    """Source that matches one character."""

    source: str
    fold: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """A condition on a neighbour: `atom` matches it; or not, which the end of a text passes too."""

    atom: Atom
    ahead: bool
    negated: bool


@dataclass
class Place:
    """A place of a program: it takes a character, looks at one, or goes on at several places."""

    takes: Atom | None = None
    look: Look | None = None
    then: tuple[int, ...] = ()


@dataclass
class Expression:
    """A program: its places, of which the first is the match, and where it starts."""

    places: list[Place] = field(default_factory=lambda: [Place()])
    start: int = MATCH

    def add(self, place: Place) -> int:
        """The number of a new place."""
        if len(self.places) > LONGEST:
            raise Unreadable("a long pattern")
        self.places.append(place)
        return len(self.places) - 1


Node = tuple[object, ...]
"""("atom", Atom) | ("look", Look) | ("row", nodes) | ("any", nodes) | ("repeat", node, ...)."""


def literal(text: str) -> Expression:
    """The program that finds a text."""
    if not text:
        raise Unreadable("an empty text")
    return _program(("row", [("atom", Atom(re.escape(each))) for each in text]))


def expression(source: str) -> Expression:
    r"""The program of a pattern.

    >>> len(expression(r"a|[b-d]+").places)
    6
    """
    reader = _Reader(source)
    tree = reader.alternatives(fold=False)
    if reader.at < len(source):
        raise Unreadable(source[reader.at :][:20])
    if _may_be_empty(tree):
        raise Unreadable("a pattern that matches an empty text")
    return _program(tree)


class _Reader:
    """Reads a pattern from left to right."""

    def __init__(self, source: str) -> None:
        self.source, self.at = source, 0

    def rest(self) -> str:
        return self.source[self.at :]

    def alternatives(self, fold: bool) -> Node:
        rows = [self.row(fold)]
        while self.rest().startswith("|"):
            self.at += 1
            rows.append(self.row(fold))
        return rows[0] if len(rows) == 1 else ("any", rows)

    def row(self, fold: bool) -> Node:
        nodes: list[Node] = []
        while self.at < len(self.source) and self.rest()[0] not in "|)":
            if self.rest().startswith("(?i)"):
                self.at, fold = self.at + 4, True
                continue
            nodes.append(self.repeated(self.one(fold)))
        return ("row", nodes)

    def one(self, fold: bool) -> Node:
        rest = self.rest()
        for opening, (ahead, negated) in LOOKS.items():
            if rest.startswith(opening):
                self.at += len(opening)
                inner = self.group(fold)
                return ("look", Look(_single(inner), ahead, negated))
        if rest[0] == "(":
            flags = FLAGS.match(rest)
            if flags is None and rest[1:2] == "?":
                raise Unreadable(rest[:4])
            self.at += flags.end() if flags else 1
            return self.group(fold or bool(flags and flags[1]))
        return ("atom", Atom(self.atom(), fold))

    def group(self, fold: bool) -> Node:
        inner = self.alternatives(fold)
        if not self.rest().startswith(")"):
            raise Unreadable("a group without an end")
        self.at += 1
        return inner

    def atom(self) -> str:
        """The source of what takes one character."""
        begins, first = self.at, self.source[self.at]
        if first == "[":
            self.at = _end_of_class(self.source, self.at)
        elif first == "\\":
            found = ESCAPED.match(self.source, self.at)
            if found is None or (found[0][1].isalnum() and found[0][1] not in OF_ONE):
                raise Unreadable(self.rest()[:2])
            self.at = found.end()
        elif first in "^$*+?{":
            raise Unreadable(first)
        else:
            self.at += 1
        return self.source[begins : self.at]

    def repeated(self, node: Node) -> Node:
        bounds = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        least, most = bounds.get(self.rest()[:1], (1, 1))
        if self.rest()[:1] in bounds and self.rest():
            self.at += 1
        elif counted := COUNT.match(self.rest()):
            self.at += counted.end()
            least = int(counted[1] or 0)
            most = (int(counted[3]) if counted[3] else None) if counted[2] else least
            if self.rest()[:1] == "+":
                raise Unreadable("a count with a plus")
        else:
            return node
        kind = {"?": "lazy", "+": "possessive"}.get(self.rest()[:1], "greedy")
        self.at += kind != "greedy"
        if self.rest()[:1] in ("*", "+", "?", "{") and self.rest()[:1]:
            raise Unreadable("a repeat of a repeat")
        return ("repeat", node, least, most, kind)


def _end_of_class(source: str, at: int) -> int:
    """Where a class of characters ends that begins here."""
    depth, begins = 0, at
    while at < len(source):
        if source[at] == "\\":
            at += 1
        elif source[at] == "[":
            depth += 1
        elif source[at] == "]" and source[begins:at].rstrip("^") != "[":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise Unreadable("a class without an end")


def _single(node: Node) -> Atom:
    """The one atom of a look-around."""
    while node[0] == "row" and len(node[1]) == 1:  # type: ignore[arg-type]
        node = node[1][0]  # type: ignore[index]
    if node[0] != "atom":
        raise Unreadable("a look-around of more than one character")
    return node[1]  # type: ignore[return-value]


def _may_be_empty(node: Node) -> bool:
    kind, inner, *more = node
    if kind == "any":
        return any(map(_may_be_empty, inner))  # type: ignore[call-overload]
    if kind == "row":
        return all(map(_may_be_empty, inner))  # type: ignore[call-overload]
    if kind == "repeat":
        return more[0] == 0 or _may_be_empty(inner)  # type: ignore[arg-type]
    return kind == "look"


def _program(tree: Node) -> Expression:
    made = Expression()
    made.start = _built(made, tree, MATCH)
    return made


def _built(made: Expression, node: Node, then: int) -> int:
    """The place where a thread starts that matches a node and goes on at `then`."""
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
    """A repeat written out; a possessive one stops only where no more could be taken."""
    stop = then
    if kind == "possessive" and then != MATCH:
        stop = made.add(Place(look=Look(_single(node), True, True), then=(then,)))

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
