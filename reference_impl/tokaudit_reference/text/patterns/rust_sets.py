r"""Writes the bracketed sets of Rust's engine for `regex`, which knows no operators in sets.

`&&`, `--` and `~~` have one precedence and are read from the left; `[a-d--b]` becomes
`(?:(?![b])[a-d])`, which takes exactly one character.  Where case is ignored, each class gets the
characters that are equal to its own before it is negated or combined, as the engine does it.
"""

from __future__ import annotations

import re

from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.text.patterns.cases import other_cases
from tokaudit_reference.text.patterns.oniguruma_sets import (
    DEEPEST,
    HEX,
    NONE,
    POSIX_SET,
    SPECIAL,
    WHITE_SPACE,
    Members,
)
from tokaudit_reference.text.patterns.properties import property_at

POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "word": r"0-9A-Za-z_",
    "xdigit": HEX,
}
OPERATORS = ("&&", "--", "~~")
HEXADECIMAL = re.compile(
    r"\\(?:[xuU]\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))"
)
CONTROLS = {"a": 7, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
CLASSES = {"d": r"\d", "s": WHITE_SPACE, "w": r"\w", "h": HEX}


def bracketed(pattern: str, at: int, fold: bool) -> tuple[str, int]:
    r"""Translate the set that begins at `at`; return its source and its end.

    >>> print(*bracketed("[a-d&&[^b]]+", 0, False))
    (?:(?=[a-d])[^b]) 11
    >>> print(*bracketed("[^a[b]]", 0, True))
    [^abBA] 7
    """
    members, negated, end = _Sets(pattern, fold).bracketed(at, 0)
    return members.source(negated), end


def class_escape(pattern: str, at: int) -> tuple[str, bool, int] | None:
    r"""Read `\d`, `\p{L}` and their like: the inside of a class, whether negated, the end."""
    letter = pattern[at + 1 : at + 2]
    if letter in ("p", "P"):
        return property_at(pattern, at)
    if letter and letter.lower() in CLASSES:
        return CLASSES[letter.lower()], letter.isupper(), at + 2
    return None


def class_source(inside: str, negated: bool, fold: bool) -> str:
    """Return the class with this inside, closed under case if that is ignored."""
    return f"[{'^' * negated}{inside}{_listed(other_cases(inside)) if fold else ''}]"


def code_point(pattern: str, at: int) -> tuple[int, int]:
    """Read one character, escaped or not; return its code point and its end."""
    if pattern[at] != "\\":
        return ord(pattern[at]), at + 1
    if found := HEXADECIMAL.match(pattern, at):
        code = int(next(filter(None, found.groups())), 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise SpecError(f"the pattern {pattern[:80]!r} does not compile: {found.group()}")
        return code, found.end()
    letter = pattern[at + 1 : at + 2]
    if letter in CONTROLS:
        return CONTROLS[letter], at + 2
    if not letter or (letter.isascii() and letter.isalnum()) or letter in "<>":
        raise Unsupported(f"the escape \\{letter} of Rust's dialect in a pattern")
    return ord(letter), at + 2


def spelled(code: int) -> str:
    """The source of one character, inside and outside of sets."""
    letter = chr(code)
    if letter in SPECIAL:
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{code:08x}"


def _listed(characters: str) -> str:
    return "".join(spelled(ord(character)) for character in characters)


class _Sets:
    """Reads sets from a pattern; each method also returns the end of what it read."""

    def __init__(self, pattern: str, fold: bool) -> None:
        self.pattern, self.fold = pattern, fold

    def wrong(self, why: str) -> SpecError:
        """Return the error of a pattern that the engine refuses."""
        return SpecError(f"the pattern {self.pattern[:80]!r} does not compile: {why}")

    def bracketed(self, at: int, depth: int) -> tuple[Members, bool, int]:
        """Read a set: its members, and whether they are negated."""
        if depth > DEEPEST:
            raise Unsupported("sets nested more than 10 deep in a pattern")
        negated = self.pattern.startswith("[^", at)
        first, at = self.first(at + 1 + negated, depth)
        members, at = self.union(first, at, depth)
        while (operator := self.pattern[at : at + 2]) in OPERATORS:
            right, at = self.union(Members(), at + 2, depth)
            members = Members("", (_combined(operator, members.source(), right.source()),))
        return members, negated, at + 1

    def first(self, at: int, depth: int) -> tuple[Members, int]:
        """Read the literal signs at the beginning of a set: dashes, or a bracket."""
        after = at
        while self.pattern.startswith("-", after):
            after += 1
        if after > at:
            return Members(r"\-"), after
        if not self.pattern.startswith("]", at):
            return Members(), at
        if depth:
            raise Unsupported("a ] that begins a set inside a set in a pattern")
        return Members(r"\]"), at + 1

    def union(self, members: Members, at: int, depth: int) -> tuple[Members, int]:
        """Read the members up to an operator or the end of the set."""
        while not self.pattern.startswith("]", at) and self.pattern[at : at + 2] not in OPERATORS:
            added, at = self.member(at, depth)
            members += added
        extra = _listed(other_cases(members.plain)) if self.fold and members.plain else ""
        return members + Members(extra), at

    def member(self, at: int, depth: int) -> tuple[Members, int]:
        """Read one member, which may be a set."""
        if at >= len(self.pattern):
            raise self.wrong("a set is not closed")
        if posix := POSIX_SET.match(self.pattern, at):
            if posix[2] not in POSIX:
                raise Unsupported(f"the set {posix.group()} in a pattern")
            return self.named(POSIX[posix[2]], bool(posix[1])), posix.end()
        if self.pattern[at] == "[":
            inner, negated, at = self.bracketed(at, depth + 1)
            return (Members("", (inner.source(True),)) if negated else inner), at
        if self.pattern[at] == "\\" and (found := class_escape(self.pattern, at)):
            inside, negated, end = found
            if self.begins_a_range(end):
                raise Unsupported("a range that begins with a class in a pattern")
            return self.named(inside, negated), end
        return self.range(at)

    def named(self, inside: str, negated: bool) -> Members:
        """A class, which as a negated one is an alternative of its own."""
        if negated:
            return Members("", (class_source(inside, True, self.fold),))
        return Members(inside)

    def range(self, at: int) -> tuple[Members, int]:
        """Read one character, or a range of characters."""
        first, at = self.character(at)
        if not self.begins_a_range(at):
            return Members(spelled(first)), at
        if self.pattern.startswith("[", at + 1) or class_escape(self.pattern, at + 1):
            raise Unsupported("a range that ends in a set in a pattern")
        last, at = self.character(at + 1)
        if last < first:
            raise self.wrong("a range is reversed")
        return Members(f"{spelled(first)}-{spelled(last)}"), at

    def character(self, at: int) -> tuple[int, int]:
        r"""Read one character; inside a set `\b` is the backspace."""
        if self.pattern.startswith(r"\b", at):
            return 8, at + 2
        return code_point(self.pattern, at)

    def begins_a_range(self, at: int) -> bool:
        """Return whether the sign at this place is a dash between the ends of a range."""
        after = self.pattern[at + 1 : at + 2]
        return self.pattern.startswith("-", at) and after not in ("", "]", "-")


def _combined(operator: str, left: str, right: str) -> str:
    """Return the source of the characters that two operands make together.

    >>> _combined("--", "[ab]", "[b]"), _combined("&&", "[ab]", "(?!)")
    ('(?:(?![b])[ab])', '(?!)')
    """
    if operator == "&&":
        return NONE if NONE in (left, right) else f"(?:(?={left}){right})"
    without = f"(?:(?!{right}){left})"
    return without if operator == "--" else f"(?:{without}|(?!{left}){right})"
