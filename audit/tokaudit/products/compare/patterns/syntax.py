r"""Parse a split pattern as its engine does, or name the unsupported construct.

What differs between the engines is here and in `sets_syntax`: `$` is the end of a line in
Oniguruma and of the text in Rust; `{1,3}+` is possessive in Rust and a repeat of a repeat in
Oniguruma; `{2}?` is lazy in Rust and optional in Oniguruma.
"""

from __future__ import annotations

import re

from tokaudit.products.compare.patterns.sets_syntax import bracketed, escaped
from tokaudit.products.compare.patterns.tree import (
    NOTHING,
    Atom,
    Choice,
    Concatenation,
    Dialect,
    Greed,
    Look,
    Node,
    NotIn,
    Repeat,
    Set,
    Take,
    looking,
    nullable,
    one_of,
    row,
)
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_reference.text.patterns.cases import long_folds

LONGEST = 10_000  # characters of a pattern
DEEPEST = 60  # groups inside groups
COUNTED = re.compile(r"\{(\d{1,4})(,?)(\d{0,4})\}")
GROUP = re.compile(r"\((?:\?(?:[:=!>]|<=|<!|-?i:)|(?![?*]))")
SIMPLE: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}


def parse(pattern: str, dialect: Dialect) -> Node:
    r"""Parse a pattern to a tree.

    >>> parse("a+", Dialect.RUST).greed
    'greedy'
    >>> parse(r"(a)\1", Dialect.RUST)
    Traceback (most recent call last):
    tokaudit.products.compare.patterns.verdicts.Undecidable: the escape \1
    """
    if len(pattern) > LONGEST:
        raise Undecidable("a pattern of more than 10,000 characters")
    fold = pattern.startswith("(?i)")
    parser = Parser(pattern, dialect, at=4 * fold)
    tree = parser.choice(fold)
    if parser.at < len(pattern):
        raise Undecidable("a bracket that was not opened")
    return tree


class Parser:
    """Parser state; each method parses one construct and moves on."""

    def __init__(self, pattern: str, dialect: Dialect, at: int) -> None:
        self.pattern, self.dialect, self.at, self.depth = pattern, dialect, at, 0

    def choice(self, fold: bool) -> Node:
        nodes = [self.items(fold)]
        while self.pattern.startswith("|", self.at):
            self.at += 1
            nodes.append(self.items(fold))
        return nodes[0] if len(nodes) == 1 else Choice(tuple(nodes))

    def items(self, fold: bool) -> Node:
        nodes: list[Node] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            nodes.append(self.repeated(self.single(fold)))
        joined = row(nodes)
        if fold and self.dialect is Dialect.ONIGURUMA:
            _refuse_long_folds(joined)
        return joined

    def repeated(self, node: Node) -> Node:
        """Parse an optional quantifier after the node."""
        counted = COUNTED.match(self.pattern, self.at)
        sign = self.pattern[self.at : self.at + 1]
        if counted:
            least = int(counted[1])
            most = int(counted[3]) if counted[3] else None if counted[2] else least
            self.at = counted.end()
        elif sign and sign in SIMPLE:
            least, most = SIMPLE[sign]
            self.at += 1
        else:
            return node
        if most is not None and most < least:
            raise Undecidable("a repeat whose bounds are reversed")
        if nullable(node) and most != 1:
            raise Undecidable("a repeat of something that may be empty")
        suffix = self.pattern[self.at : self.at + 1]
        self.at += suffix in ("?", "+") and suffix != ""
        if self.pattern[self.at : self.at + 1] in ("?", "*", "+") or COUNTED.match(
            self.pattern, self.at
        ):
            raise Undecidable("a repeat of a repeat")
        return _quantified(node, least, most, suffix, bool(counted), self.dialect)

    def single(self, fold: bool) -> Node:
        """Parse one group, set, anchor or character."""
        sign, two = self.pattern[self.at], self.pattern[self.at : self.at + 2]
        if sign == "(":
            return self.group(fold)
        if sign == "[":
            found, self.at = bracketed(self.pattern, self.at, fold, self.dialect)
            return Take(found)
        if sign in "^$" or two in (r"\A", r"\z", r"\Z", r"\b", r"\B"):
            name = sign if sign in "^$" else two
            self.at += len(name)
            return anchor(name, self.dialect)
        if sign == "\\":
            found, self.at = escaped(self.pattern, self.at, fold, self.dialect)
            return Take(found)
        if sign in "?*+{":
            raise Undecidable(f"{sign} with nothing to repeat")
        self.at += 1
        if sign == ".":
            return Take(Atom(".", False, self.dialect))
        return Take(letter(sign, fold, self.dialect))

    def group(self, fold: bool) -> Node:
        found = GROUP.match(self.pattern, self.at)
        if found is None:
            raise Undecidable(f"the group {self.pattern[self.at : self.at + 4]}")
        self.at, self.depth = found.end(), self.depth + 1
        if self.depth > DEEPEST:
            raise Undecidable("groups nested more than 60 deep")
        head = found.group()[2:]
        body = self.choice(not head.startswith("-") if head.endswith("i:") else fold)
        if not self.pattern.startswith(")", self.at):
            raise Undecidable("a group that is not closed")
        self.at, self.depth = self.at + 1, self.depth - 1
        if head in ("=", "!", "<=", "<!"):
            return looking(body, ahead="<" not in head, negative="!" in head)
        return atomic(body) if head == ">" else body


def atomic(body: Node) -> Node:
    """Return the body of an atomic group, which keeps its first match."""
    if isinstance(body, Take | Look):
        return body
    if isinstance(body, Repeat) and one_of(body.node) is not None:
        if body.greed == "lazy":
            return Repeat(body.node, body.least, body.least, "greedy")
        return Repeat(body.node, body.least, body.most, "possessive")
    return Repeat(body, 1, 1, "possessive")


def letter(character: str, fold: bool, dialect: Dialect) -> Atom:
    """Return the atom of one character."""
    return Atom(re.escape(character), fold, dialect, character)


def anchor(name: str, dialect: Dialect) -> Node:
    r"""Return the neighbours that `^`, `$`, `\A`, `\z`, `\Z`, `\b` and `\B` require.

    >>> anchor("$", Dialect.ONIGURUMA) == anchor("$", Dialect.RUST)
    False
    """
    line_end = letter("\n", False, dialect)
    lines = dialect is Dialect.ONIGURUMA
    if name in (r"\b", r"\B"):
        return _boundary(name == r"\b", Atom(r"\w", False, dialect))
    if name == "^" and lines:
        # The end of a text that ends with a line is not the beginning of another.
        behind_line = Concatenation(
            (Look(False, line_end, False), Look(True, NotIn(NOTHING), False))
        )
        return Choice((Look(False, NOTHING, True), behind_line))
    if name in ("^", r"\A"):
        return Look(False, NOTHING, True)
    if name == r"\Z" and dialect is not Dialect.PYTHON:
        raise Undecidable(r"\Z, which looks at two characters")
    if name == "$" and dialect is Dialect.PYTHON:
        raise Undecidable("$ of Python, which looks at two characters")
    return Look(True, line_end if lines and name == "$" else NOTHING, True)


def _boundary(wanted: bool, word: Set) -> Node:
    """Return the two cases of differing neighbours, or the two of equal ones."""
    sides: tuple[tuple[Set, bool], ...] = ((word, False), (NotIn(word), True))
    return Choice(
        tuple(
            Concatenation((Look(False, before, edge_before), Look(True, after, edge_after)))
            for before, edge_before in sides
            for after, edge_after in sides
            if (before != after) == wanted
        )
    )


def _quantified(
    node: Node, least: int, most: int | None, suffix: str, counted: bool, dialect: Dialect
) -> Node:
    """Build the repeat, by the engine's meaning of the sign after the quantifier."""
    greeds: dict[str, Greed] = {"?": "lazy", "+": "possessive"}
    plain = Repeat(node, least, most, "greedy")
    if dialect is Dialect.ONIGURUMA and counted:
        if suffix == "+":
            if nullable(plain):
                raise Undecidable("a repeat of something that may be empty")
            return Repeat(plain, 1, None, "greedy")
        if suffix == "?" and least == most:
            return Repeat(plain, 0, 1, "greedy")
    return Repeat(node, least, most, greeds.get(suffix, "greedy"))


def _refuse_long_folds(node: Node) -> None:
    """Refuse strings such as `(?i:ss)`, which match ß in Oniguruma."""
    nodes = node.nodes if isinstance(node, Concatenation) else (node,)
    letters = [
        each.set.letter.casefold() or "\n"
        if isinstance(each, Take) and isinstance(each.set, Atom)
        else "\n"
        for each in nodes
    ]
    text = "".join(letters)
    if any(fold in text for fold in long_folds()):
        raise Undecidable("letters that one character may stand for where case is ignored")
