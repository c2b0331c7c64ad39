r"""Writes the bracketed sets of Oniguruma for `regex`, which knows none inside another.

A set is read into members that a plain class can hold, and what needs its own alternative:
a negated set or an intersection inside it.  `[a[bc]]` becomes `[abc]`, `[a-d&&[^b]]` becomes
`(?:(?=[a-d])[^b])`.  Each takes exactly one character.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.text.patterns.cases import other_cases
from tokaudit_reference.text.patterns.properties import MEANT, property_at

WHITE_SPACE, NOT_WHITE_SPACE = r"\p{White_Space}", r"\P{White_Space}"
WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
ANY, NONE = r"[\s\S]", "(?!)"
HEX = "0-9a-fA-F"
DEEPEST = 10  # sets inside sets
POSIX_SET = re.compile(r"\[:(\^?)(\w+):\]")
POSIX = {
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "alpha": r"\p{Alphabetic}",
    "ascii": r"\x00-\x7f",
    "blank": r"\p{Zs}\t",
    "cntrl": r"\p{Cc}",
    "digit": r"\p{Nd}",
    "graph": "[:graph:]",
    "lower": r"\p{Lowercase}",
    "print": "[:print:]",
    "punct": r"\p{P}\p{S}",
    "space": WHITE_SPACE,
    "upper": r"\p{Uppercase}",
    "word": WORD,
    "xdigit": HEX,
}
# As properties: `\p{Punct}` is not `[[:punct:]]`, and `\p{Word}` is another class outside of sets.
NAMES = {name: inside for name, inside in POSIX.items() if name not in ("punct", "word")}
CHARACTER = re.compile(
    r"\\(?:x\{(?P<wide>[0-9a-fA-F]{1,6})\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[nrtfvae]"
    r"|(?P<sign>[^a-zA-Z0-9]))"
)
CLASS_SIGN = re.compile(r"\\([dDpPsSwW])")
SPECIAL = frozenset(r"\.^$*+?{}[]()|-&~#")
SPELLED = {r"\a": r"\x07", r"\e": r"\x1b"}
# What an escape of a class puts into a set, and whether it is the set's opposite that it adds.
CLASSES = {
    "d": (r"\d", False),
    "D": (r"\D", False),
    "s": (WHITE_SPACE, False),
    "S": (NOT_WHITE_SPACE, False),
    "w": (WORD, False),
    "W": (WORD, True),
    "h": (HEX, False),
    "H": (HEX, True),
}


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a set: the inside of a plain class, and sources that match one character."""

    plain: str = ""
    others: tuple[str, ...] = ()
    cased: bool = False  # whether it names classes whose letters have a case

    def __add__(self, more: Members) -> Members:
        return Members(self.plain + more.plain, self.others + more.others, self.cased or more.cased)

    def source(self, negated: bool = False) -> str:
        """Return the source for `regex`.

        >>> Members("ab").source(), Members("a", ("[^b]",)).source(negated=True)
        ('[ab]', '(?:(?!(?:[a]|[^b]))[\\\\s\\\\S])')
        """
        if not self.others and not (negated and _names_opposites(self.plain)):
            sign = "^" if negated else ""
            return f"[{sign}{self.plain}]" if self.plain else ANY if negated else NONE
        all_of = ([f"[{self.plain}]"] if self.plain else []) + list(self.others)
        either = all_of[0] if len(all_of) == 1 else f"(?:{'|'.join(all_of)})"
        return f"(?:(?!{either}){ANY})" if negated else either


def _names_opposites(plain: str) -> bool:
    r"""Return whether it names classes with their opposites: `regex` matches all by `[^\s\S]`.

    It does so too where the two have other names, as `\p{Nd}` and `\D`.
    """
    signs = CLASS_SIGN.findall(plain)
    return any(map(str.islower, signs)) and any(map(str.isupper, signs))


def bracketed(pattern: str, at: int, fold: bool) -> tuple[str, int]:
    r"""Translate the set that begins at `at`; return its source and its end.

    >>> print(*bracketed("[a[bc]]+", 0, False))
    [abc] 7
    >>> print(*bracketed("[^a-d&&[^b]]", 0, False))
    (?:(?!(?:(?=[a-d])[^b]))[\s\S]) 12
    """
    members, negated, end = _read(pattern, at, 0)
    return (_folded(members, negated, pattern[at:end]) if fold else members.source(negated)), end


def character(pattern: str, at: int) -> tuple[str, int]:
    """Read one character, escaped or not, for inside and outside of sets."""
    if pattern[at] != "\\":
        return _escaped(pattern[at]), at + 1
    found = CHARACTER.match(pattern, at)
    if found is None:
        raise Unsupported(f"Oniguruma's escape {pattern[at : at + 2]} in a pattern")
    if found["wide"]:
        return f"\\U{int(found['wide'], 16):08x}", found.end()
    if found["sign"]:
        return _escaped(found["sign"]), found.end()
    return SPELLED.get(found.group(), found.group()), found.end()


def meant(source: str) -> str:
    """Return the character that a source of one character stands for."""
    if len(source) > 2:
        return chr(int(source[2:], 16))
    return {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\f": "\f", r"\v": "\v"}.get(source, source[-1])


def _escaped(letter: str) -> str:
    return f"\\{letter}" if letter in SPECIAL else letter


def _read(pattern: str, at: int, depth: int) -> tuple[Members, bool, int]:
    """Return the members, whether they are negated, and the end of the set."""
    if depth > DEEPEST:
        raise Unsupported("sets nested more than 10 deep in a pattern")
    negated = pattern.startswith("[^", at)
    at += 1 + negated
    first, parts, members = at, [], Members()
    while not pattern.startswith("]", at) or at == first:
        if pattern.startswith("&&", at):
            parts.append(members)
            at, members = at + 2, Members()
        else:
            added, at = _member(pattern, at, depth)
            members += added
    if parts:
        looks = "".join(f"(?={each.source()})" for each in parts)
        cased = any(each.cased for each in [*parts, members])
        members = Members("", (f"(?:{looks}{members.source()})",), cased)
    return members, negated, at + 1


def _member(pattern: str, at: int, depth: int) -> tuple[Members, int]:
    """Read one member of a set, and return its end."""
    if at >= len(pattern):
        raise SpecError(f"the pattern {pattern[:80]!r} does not compile: a set is not closed")
    posix = POSIX_SET.match(pattern, at)
    if posix:
        if posix[2] not in POSIX:
            raise Unsupported(f"the set {posix.group()} in a pattern")
        added = _class(POSIX[posix[2]], bool(posix[1]), posix[2] not in ("space", "digit"))
        return added, _behind_a_class(pattern, posix.end())
    if pattern[at] == "[":
        inner, negated, end = _read(pattern, at, depth + 1)
        return (Members("", (inner.source(True),), inner.cased) if negated else inner), end
    if pattern[at] == "\\":
        letter = pattern[at + 1 : at + 2]
        if letter in CLASSES:
            added = _class(*CLASSES[letter], cased=letter not in "sd")
            return added, _behind_a_class(pattern, at + 2)
        if letter in ("p", "P"):
            inside, opposite, end = property_at(pattern, at, NAMES)
            if inside == MEANT["any"]:  # next to a negated class it loses what is beyond ASCII
                raise Unsupported("the property Any inside a set in a pattern")
            return _class(inside, opposite, cased=True), _behind_a_class(pattern, end)
        if letter == "b":
            return Members(r"\x08"), at + 2
    return _range(pattern, at)


def _range(pattern: str, at: int) -> tuple[Members, int]:
    """Read one character, or a range of characters."""
    first, at = character(pattern, at)
    if not pattern.startswith("-", at) or pattern[at + 1 : at + 2] in ("]", ""):
        return Members(first), at
    if pattern[at + 1] == "[" or pattern.startswith("&&", at + 1):
        raise Unsupported("a range that ends in a set in a pattern")
    last, at = character(pattern, at + 1)
    if meant(last) < meant(first):
        raise SpecError(f"the pattern {pattern[:80]!r} does not compile: a range is reversed")
    return Members(f"{first}-{last}"), at


def _class(inside: str, opposite: bool, cased: bool) -> Members:
    return Members("", (f"[^{inside}]",), cased) if opposite else Members(inside, cased=cased)


def _behind_a_class(pattern: str, at: int) -> int:
    """Return the place if no range begins there, which Oniguruma refuses."""
    if pattern.startswith("-", at) and pattern[at + 1 : at + 2] != "]":
        raise Unsupported("a range that begins with a class in a pattern")
    return at


def _folded(members: Members, negated: bool, written: str) -> str:
    """Close the set under case; a letter that equals several characters is refused."""
    spelled_out = r"\x" in written or r"\u" in written
    if members.others or members.cased or spelled_out or not written.isascii():
        raise Unsupported("a set of other than ASCII where case is ignored in a pattern")
    return replace(members, plain=members.plain + other_cases(members.plain)).source(negated)
