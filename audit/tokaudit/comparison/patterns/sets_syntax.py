r"""Reads what takes one character: `\p{L}`, an escape, a letter, or a set in brackets.

A plain set is one atom, whose meaning its engine knows best.  Only sets inside sets and `&&`, which
`regex` reads differently from the engines, are taken apart here.
"""

from __future__ import annotations

import re

from tokaudit.comparison.patterns.tree import AllOf, AnyOf, Atom, Dialect, NotIn, Set
from tokaudit.comparison.patterns.verdicts import Undecidable

ESCAPE = re.compile(r"\\(?:[pP](?:\{[\^\w=: -]+\}|[A-Z])|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.S)
POSIX = re.compile(r"\[:\^?(\w+):\]")
DEEPEST = 10  # sets inside sets
CLASSES = frozenset("dDwWsSpP")  # a letter behind a backslash that means a set
LETTERS = frozenset("nrtfvax" + "u")  # and one that means a character
# Posix sets that the reference reads as Oniguruma does, and Rust's engine only in ASCII.
UNEQUAL_POSIX = frozenset({"digit", "alnum", "punct"})


def escaped(pattern: str, at: int, fold: bool, dialect: Dialect) -> tuple[Set, int]:
    """The set of an escape and where it ends.

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
    """The set in brackets that begins at `at`, and where it ends."""
    if depth > DEEPEST:
        raise Undecidable("sets nested more than 10 deep")
    start, negated = at, pattern.startswith("[^", at)
    at += 1 + negated
    first = inner = at
    sets: list[Set] = []
    parts: list[Set] = []
    plain = True
    while True:
        if at >= len(pattern):
            raise Undecidable("a set that is not closed")
        if pattern[at] == "]" and at > first:
            break
        posix = POSIX.match(pattern, at)
        if posix:
            _known_posix(posix, dialect)
            at = posix.end()
        elif pattern[at] == "\\":
            _, at = escaped(pattern, at, fold, dialect)
        elif pattern[at] == "[" and dialect is not Dialect.PYTHON:
            sets += _leaf(pattern[inner:at], fold, dialect)
            nested, at = bracketed(pattern, at, fold, dialect, depth + 1)
            sets.append(nested)
            inner, plain = at, False
        elif pattern.startswith("&&", at) and dialect is not Dialect.PYTHON:
            sets += _leaf(pattern[inner:at], fold, dialect)
            parts.append(AnyOf(tuple(sets)))
            at += 2
            inner, sets, plain = at, [], False
        elif pattern[at : at + 2] in ("--", "~~", "||", "&&"):
            raise Undecidable(f"{pattern[at : at + 2]} in a set")
        else:
            at += 1
    if fold and dialect is Dialect.ONIGURUMA and not pattern[start:at].isascii():
        raise Undecidable("a set beyond ASCII where case is ignored")
    if plain:
        return Atom(pattern[start : at + 1], fold, dialect), at + 1
    sets += _leaf(pattern[inner:at], fold, dialect)
    whole = AllOf((*parts, AnyOf(tuple(sets))))
    return (NotIn(whole) if negated else whole), at + 1


def _leaf(members: str, fold: bool, dialect: Dialect) -> list[Set]:
    """What lies between two sets inside a set, if anything."""
    if members.startswith(("^", "-")) or members.endswith("-"):
        raise Undecidable("a sign beside a set inside a set")
    return [Atom(f"[{members}]", fold, dialect)] if members else []


def _known_posix(found: re.Match[str], dialect: Dialect) -> None:
    if dialect is Dialect.RUST and found[1] in UNEQUAL_POSIX:
        raise Undecidable(f"the set {found.group()}")
