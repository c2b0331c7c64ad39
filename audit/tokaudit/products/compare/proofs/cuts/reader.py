r"""The checker's own parser of split patterns, to a small program in one pass.

It knows little on purpose: characters, classes, groups, alternatives, repeats, a look at one
neighbour, and the end of a text.  What is not known here raises `Unreadable`; the claim is then not
checked.
"""

from __future__ import annotations

import re

from tokaudit.products.compare.proofs.cuts.expression import (
    Atom,
    Expression,
    Look,
    MatchesNothing,
    Node,
    Unreadable,
    program,
    single,
)

ESCAPED = re.compile(
    r"\\(?:[pP]\{[^}]*\}|x\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)", re.S
)
OF_ONE = frozenset("pPsSdDwWnrtfvexu")  # letters whose escapes stand for one character
COUNT = re.compile(r"\{(\d*)(,?)(\d*)\}")
FLAGS = re.compile(r"\(\?(i?):")
FOLDED = "(?i)"  # at the beginning of a group it is about all of it in each dialect
LOOKS = {"(?=": (True, False), "(?!": (True, True), "(?<=": (False, False), "(?<!": (False, True)}
ANY, NEW_LINE = Atom(r"[\s\S]"), Atom(r"\n")
AT_THE_END: Node = ("look", Look(ANY, ahead=True, negated=True))
BEFORE_A_NEW_LINE: Node = ("look", Look(NEW_LINE, ahead=True, negated=False))


def literal(text: str) -> Expression:
    """Compile a literal text."""
    if not text:
        raise Unreadable("an empty text")
    return program(("row", [("atom", Atom(re.escape(each))) for each in text]))


def expression(source: str, *, rust: bool = False, python: bool = False) -> Expression:
    r"""Compile a pattern of Oniguruma, or of another dialect.

    >>> len(expression(r"a|[b-d]+").places), len(expression(r"a$", rust=True).places)
    (6, 3)
    """
    reader = _Reader(source, rust, python)
    tree = reader.alternatives(fold=False)
    if reader.at < len(source):
        raise Unreadable(source[reader.at :][:20])
    if _may_be_empty(tree):
        raise MatchesNothing("a pattern that matches an empty text")
    return program(tree)


class _Reader:
    """Parses a pattern from left to right."""

    def __init__(self, source: str, rust: bool, python: bool) -> None:
        self.source, self.at = source, 0
        self.rust, self.python = rust, python

    def rest(self) -> str:
        return self.source[self.at :]

    def alternatives(self, fold: bool) -> Node:
        if self.rest().startswith(FOLDED):
            self.at, fold = self.at + len(FOLDED), True
        rows = [self.row(fold)]
        while self.rest().startswith("|"):
            self.at += 1
            rows.append(self.row(fold))
        return rows[0] if len(rows) == 1 else ("any", rows)

    def row(self, fold: bool) -> Node:
        nodes: list[Node] = []
        while self.at < len(self.source) and self.rest()[0] not in "|)":
            nodes.append(self.repeated(self.one(fold)))
        return ("row", nodes)

    def one(self, fold: bool) -> Node:
        rest = self.rest()
        for opening, (ahead, negated) in LOOKS.items():
            if rest.startswith(opening):
                self.at += len(opening)
                inner = self.group(fold)
                return ("look", Look(single(inner), ahead, negated))
        if rest[0] == "(":
            flags = FLAGS.match(rest)
            if flags is None and rest[1:2] == "?":
                raise Unreadable(rest[:4])
            self.at += flags.end() if flags else 1
            return self.group(fold or bool(flags and flags[1]))
        return self.end() if rest[0] == "$" else ("atom", Atom(self.atom(), fold))

    def end(self) -> Node:
        """Parse the end of a text, or in Oniguruma also of a line."""
        if self.python:
            raise Unreadable("$")  # before a last line break too, which takes a look at two
        self.at += 1
        return AT_THE_END if self.rust else ("any", [AT_THE_END, BEFORE_A_NEW_LINE])

    def group(self, fold: bool) -> Node:
        inner = self.alternatives(fold)
        if not self.rest().startswith(")"):
            raise Unreadable("a group without an end")
        self.at += 1
        return inner

    def atom(self) -> str:
        """Return the source of a one-character construct."""
        begins, first = self.at, self.source[self.at]
        if first == "[":
            self.at = _end_of_class(self.source, self.at)
        elif first == "\\":
            found = ESCAPED.match(self.source, self.at)
            if found is None or (found[0][1].isalnum() and found[0][1] not in OF_ONE):
                raise Unreadable(self.rest()[:2])
            self.at = found.end()
        elif first in "^*+?{":
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
            if self.rest()[:1] == "+" and not (self.rust or self.python):
                raise Unreadable("a count with a plus")
        else:
            return node
        kind = {"?": "lazy", "+": "possessive"}.get(self.rest()[:1], "greedy")
        self.at += kind != "greedy"
        if self.rest()[:1] in ("*", "+", "?", "{") and self.rest()[:1]:
            raise Unreadable("a repeat of a repeat")
        return ("repeat", node, least, most, kind)


def _end_of_class(source: str, at: int) -> int:
    """Return the end of the character class that begins here."""
    depth = 0
    while at < len(source):
        if source[at] == "\\":
            at += 1
        elif source[at] == "[":
            depth += 1
            if source[at + 1 :].removeprefix("^").startswith("]"):
                raise Unreadable("a class that begins with its end")
        elif source[at] == "]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise Unreadable("a class without an end")


def _may_be_empty(node: Node) -> bool:
    kind, inner, *more = node
    if kind == "any":
        return any(map(_may_be_empty, inner))  # type: ignore[call-overload]
    if kind == "row":
        return all(map(_may_be_empty, inner))  # type: ignore[call-overload]
    if kind == "repeat":
        return more[0] == 0 or _may_be_empty(inner)  # type: ignore[arg-type]
    return kind == "look"
