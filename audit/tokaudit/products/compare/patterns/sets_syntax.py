r"""Parse constructs that match one character: `\p{L}`, an escape, a letter, or a set.

A plain set is one atom, whose meaning its engine knows best.  Only sets inside sets and operators
are taken apart here: `&&`, and in Rust `--` and `~~`, all of one precedence, from the left.
"""

from __future__ import annotations

import re

from tokaudit.products.compare.patterns.tree import AllOf, AnyOf, Atom, Dialect, NotIn, Set
from tokaudit.products.compare.patterns.verdicts import Undecidable

HEXADECIMAL = r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x\{[0-9a-fA-F]{1,6}\}"
ESCAPE = re.compile(rf"\\(?:[pP](?:\{{[\^\w=: -]+\}}|[A-Z])|{HEXADECIMAL}|.)", re.S)
POSIX = re.compile(r"\[:\^?(\w+):\]")
DEEPEST = 10  # sets inside sets
CLASSES = frozenset("dDwWsSpP")  # a letter after a backslash that means a set
LETTERS = frozenset("nrtfvax" + "u")  # and one that means a character
OPERATORS = {
    Dialect.ONIGURUMA: ("&&",),
    Dialect.RUST: ("&&", "--", "~~"),
    Dialect.PYTHON: (),
}
DOUBTFUL = ("&&", "--", "~~", "||")  # operators elsewhere


def escaped(pattern: str, at: int, fold: bool, dialect: Dialect) -> tuple[Set, int]:
    """Parse the set of an escape, and return its end.

    >>> escaped(r"\\p{L}+", 0, False, Dialect.RUST)[1]
    5
    """
    found = ESCAPE.match(pattern, at)
    if found is None:
        raise Undecidable("a backslash at the end")
    source, letter = found.group(), found.group()[1]
    if letter.isalnum() and letter not in CLASSES | LETTERS:
        raise Undecidable(f"the escape \\{letter}")
    if letter in CLASSES:
        return Atom(source, fold, dialect), found.end()
    plain = source[1:] if not letter.isalnum() else ""
    return Atom(source, fold, dialect, plain), found.end()


def bracketed(
    pattern: str, at: int, fold: bool, dialect: Dialect, depth: int = 0
) -> tuple[Set, int]:
    """Parse the set in brackets at `at`, and return its end."""
    if depth > DEEPEST:
        raise Undecidable("sets nested more than 10 deep")
    reader = _Brackets(pattern, at, fold, dialect, depth)
    found = reader.operands()
    source = pattern[at : reader.at + 1]
    if fold and dialect is Dialect.ONIGURUMA and not source.isascii():
        raise Undecidable("a set beyond ASCII where case is ignored")
    if reader.plain:
        return Atom(source, fold, dialect), reader.at + 1
    return (NotIn(found) if reader.negated else found), reader.at + 1


class _Brackets:
    """Parser state of one set; nested sets have parsers of their own."""

    def __init__(self, pattern: str, at: int, fold: bool, dialect: Dialect, depth: int) -> None:
        self.pattern, self.fold, self.dialect, self.depth = pattern, fold, dialect, depth
        self.negated = pattern.startswith("[^", at)
        self.at = self.first = at + 1 + self.negated
        self.plain = True

    def operands(self) -> Set:
        """Parse all operands, up to but without the closing bracket."""
        whole = self.operand()
        while not self.pattern.startswith("]", self.at):
            operator = self.pattern[self.at : self.at + 2]
            self.at, self.plain = self.at + 2, False
            whole = _combined(operator, whole, self.operand())
        return whole

    def operand(self) -> Set:
        """Parse the members up to an operator or the end."""
        sets: list[Set] = []
        begin = self.at
        while not self.ends():
            if self.nested():
                sets += self.leaf(begin)
                inner, self.at = bracketed(
                    self.pattern, self.at, self.fold, self.dialect, self.depth + 1
                )
                sets.append(inner)
                begin, self.plain = self.at, False
            else:
                self.member()
        sets += self.leaf(begin)
        return AnyOf(tuple(sets))

    def ends(self) -> bool:
        """Return whether the operand ends here."""
        if self.at >= len(self.pattern):
            raise Undecidable("a set that is not closed")
        two = self.pattern[self.at : self.at + 2]
        if two not in DOUBTFUL:
            return two[0] == "]" and self.at > self.first
        if two not in OPERATORS[self.dialect] or (two == "--" and self.at == self.first):
            raise Undecidable(f"{two} in a set")
        return True

    def nested(self) -> bool:
        """Return whether a nested set begins here."""
        opens = self.pattern[self.at] == "[" and self.dialect is not Dialect.PYTHON
        return opens and POSIX.match(self.pattern, self.at) is None

    def member(self) -> None:
        """Skip a class, an escape or a character."""
        if posix := POSIX.match(self.pattern, self.at):
            self.at = posix.end()
        elif self.pattern[self.at] == "\\":
            _, self.at = escaped(self.pattern, self.at, self.fold, self.dialect)
        else:
            self.at += 1

    def leaf(self, begin: int) -> list[Set]:
        """Return the set between two nested sets, if there is one."""
        members = self.pattern[begin : self.at]
        alone = self.plain and self.pattern.startswith("]", self.at)
        if not alone and (members.startswith(("^", "-", "]")) or members.endswith("-")):
            raise Undecidable("a sign next to a set inside a set")
        return [Atom(f"[{members}]", self.fold, self.dialect)] if members else []


def _combined(operator: str, left: Set, right: Set) -> Set:
    if operator == "&&":
        return AllOf((left, right))
    without = AllOf((left, NotIn(right)))
    return without if operator == "--" else AnyOf((without, AllOf((right, NotIn(left)))))
