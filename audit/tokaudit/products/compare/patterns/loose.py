"""Read a pattern loosely, to draw texts that it matches, not for proofs.

A look-around is its body or nothing, an atomic group its body, a back reference the group that it
names.  No proof rests on such a tree.
"""

from __future__ import annotations

import re

from tokaudit.products.compare.patterns.syntax import DEEPEST, Parser
from tokaudit.products.compare.patterns.tree import Choice, Concatenation, Dialect, Node, Repeat
from tokaudit.products.compare.patterns.verdicts import Undecidable

OPENING = re.compile(r"\((?:\?(?:[:=!>]|<=|<!|P?<\w+>|[a-z]*(?:-[a-z]+)?:))?")
SWITCH = re.compile(r"\(\?[a-z]*(?:-[a-z]+)?\)")
REPEAT = re.compile(r"(?:[*+?]|\{(\d*)(,?)(\d*)\})[?+]?")
MOST = 3  # times that something repeated is drawn
LOOKS = ("=", "!", "<=", "<!")
NOTHING = Concatenation(())


def read_loosely(pattern: str, dialect: Dialect) -> Node:
    """Return the tree of a pattern's matches; raise Undecidable if it is unreadable.

    >>> read_loosely("(?>a|ab)c", Dialect.RUST) == read_loosely("(?:a|ab)c", Dialect.RUST)
    True
    """
    parser = _Loose(pattern, dialect, at=0)
    tree = parser.choice(fold=False)
    if parser.at < len(pattern):
        raise Undecidable("a bracket that was not opened")
    return tree


class _Loose(Parser):
    """A lenient parser; `groups` are those that a back reference may name."""

    def __init__(self, pattern: str, dialect: Dialect, at: int) -> None:
        super().__init__(pattern, dialect, at)
        self.groups: list[Node] = []

    def items(self, fold: bool) -> Node:
        """Parse the items of a branch, whatever they may match together."""
        nodes: list[Node] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            nodes.append(self.repeated(self.single(fold)))
        return Concatenation(tuple(nodes))

    def repeated(self, node: Node) -> Node:
        """Parse any quantifiers after a node, limited to a few repeats."""
        while found := REPEAT.match(self.pattern, self.at):
            self.at = found.end()
            sign = found.group()[0]
            least = min(int(found[1] or 0), MOST) if sign == "{" else int(sign == "+")
            exact = sign == "{" and not found[2]
            most = least if exact else min(int(found[3] or MOST), MOST) if sign == "{" else MOST
            node = Repeat(node, least, max(least, 1 if sign == "?" else most), "greedy")
        return node

    def single(self, fold: bool) -> Node:
        """Parse one group, set, anchor or character; zero-width items match nothing."""
        escape = self.pattern[self.at : self.at + 2]
        if escape[0] == "\\" and escape[1:].isdigit():
            self.at += 2
            named = int(escape[1:]) - 1
            return self.groups[named] if 0 <= named < len(self.groups) else NOTHING
        if escape in (r"\Z", r"\G", r"\K") or escape[0] == "$":
            self.at += 1 + (escape[0] == "\\")
            return NOTHING
        return super().single(fold)

    def group(self, fold: bool) -> Node:
        """Parse a group's body, or an optional body for a look-around."""
        if switch := SWITCH.match(self.pattern, self.at):
            self.at = switch.end()
            return NOTHING
        found = OPENING.match(self.pattern, self.at)
        if found is None or (self.pattern.startswith("(?", self.at) and found.end() == self.at + 1):
            raise Undecidable(f"the group {self.pattern[self.at : self.at + 4]}")
        self.at, self.depth = found.end(), self.depth + 1
        if self.depth > DEEPEST:
            raise Undecidable("groups nested more than 60 deep")
        body = self.choice(fold or found.group().endswith("i:"))
        if not self.pattern.startswith(")", self.at):
            raise Undecidable("a group that is not closed")
        self.at, self.depth = self.at + 1, self.depth - 1
        if found.group() == "(":
            self.groups.append(body)
        return Choice((body, NOTHING)) if found.group()[2:] in LOOKS else body
