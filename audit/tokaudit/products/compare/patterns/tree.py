r"""Syntax tree of a split pattern: characters, look-arounds, and their combinations.

A set of characters is a `Set`: an atom that an engine is asked about, or sets put together.  All
conditions of no width, from `(?!\S)` to `$` and `\b`, are one node, `Look`: the next character, or
the one before, is in a set, or there is none because the text ends there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from tokaudit.products.compare.patterns.verdicts import Undecidable


class Dialect(StrEnum):
    """The engine that runs the pattern, which decides how it is parsed."""

    ONIGURUMA = "oniguruma"  # Hugging Face's tokenizers
    RUST = "rust"  # tiktoken: fancy-regex
    PYTHON = "python"  # the package regex


@dataclass(frozen=True, slots=True)
class Atom:
    """Source that matches one character, such as `\\p{L}`, and its dialect."""

    source: str
    fold: bool  # whether case is ignored
    dialect: Dialect
    letter: str = ""  # the character itself, where the source is one


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The union of sets."""

    sets: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """The intersection of sets."""

    sets: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class NotIn:
    """The complement of a set."""

    set: Set


Set = Atom | AnyOf | AllOf | NotIn
NOTHING = AnyOf(())


@dataclass(frozen=True, slots=True)
class Take:
    """Matches one character of a set."""

    set: Set


@dataclass(frozen=True, slots=True)
class Look:
    """Passes if the neighbour is in the set, or, with `edge`, if there is no neighbour."""

    ahead: bool
    set: Set
    edge: bool


@dataclass(frozen=True, slots=True)
class Concatenation:
    """A sequence of nodes."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """The first of the nodes that leads to a match, in this order."""

    nodes: tuple[Node, ...]


Greed = Literal["greedy", "lazy", "possessive"]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repeated node; `most` is None without a limit."""

    node: Node
    least: int
    most: int | None
    greed: Greed


Node = Take | Look | Concatenation | Choice | Repeat


def row(nodes: list[Node]) -> Node:
    """Return the nodes in sequence, flattened."""
    flat: list[Node] = []
    for node in nodes:
        flat.extend(node.nodes if isinstance(node, Concatenation) else [node])
    return flat[0] if len(flat) == 1 else Concatenation(tuple(flat))


def nullable(node: Node) -> bool:
    """Return whether the node may match without taking a character."""
    if isinstance(node, Take):
        return False
    if isinstance(node, Concatenation):
        return all(map(nullable, node.nodes))
    if isinstance(node, Choice):
        return any(map(nullable, node.nodes))
    if isinstance(node, Repeat):
        return node.least == 0 or nullable(node.node)
    return True


def one_of(node: Node) -> Set | None:
    """Return the set, if the node always matches exactly one character, else None."""
    if isinstance(node, Take):
        return node.set
    if isinstance(node, Choice):
        sets = [one_of(each) for each in node.nodes]
        known = tuple(each for each in sets if each is not None)
        return AnyOf(known) if len(known) == len(sets) else None
    return None


def looking(body: Node, ahead: bool, negative: bool) -> Node:
    """Return a look-around with this body, each of whose branches has at most one character."""
    sets: list[Set] = []
    conditions: list[Node] = []
    for each in _alternatives(body):
        if isinstance(each, Repeat) and each.least == 1:
            each = each.node  # one of them is enough to pass, or to fail; two or more are not one
        found = one_of(each)
        if found is not None:
            sets.append(found)
        elif _only_looks(each):
            conditions.append(each)
        else:
            raise Undecidable("a look-around of other than one character")
    if sets:
        conditions.append(Look(ahead, sets[0] if len(sets) == 1 else AnyOf(tuple(sets)), False))
    passing = conditions[0] if len(conditions) == 1 else Choice(tuple(conditions))
    return _negated(passing) if negative else passing


def _only_looks(node: Node) -> bool:
    if isinstance(node, Concatenation | Choice):
        return all(map(_only_looks, node.nodes))
    return isinstance(node, Look)


def _negated(condition: Node) -> Node:
    """Negate a zero-width condition."""
    if isinstance(condition, Look):
        return Look(condition.ahead, NotIn(condition.set), not condition.edge)
    assert isinstance(condition, Concatenation | Choice)
    turned = tuple(map(_negated, condition.nodes))
    return Choice(turned) if isinstance(condition, Concatenation) else Concatenation(turned)


def _alternatives(node: Node) -> Iterator[Node]:
    if isinstance(node, Choice):
        for each in node.nodes:
            yield from _alternatives(each)
    else:
        yield node
