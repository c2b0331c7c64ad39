r"""Writes a pattern of Oniguruma, as Hugging Face's tokenizers run it, for `regex`.

The dialect is that of Ruby.  It differs from Rust's and Python's in the quantifiers (`{1,3}+` is a
repeat of a repeat, `{2}?` is optional), in the anchors (`^` does not match after the newline that
ends a text, `$` is the end of a line, `\Z` may be before a last newline), in sets (see
`oniguruma_sets`), in `\w` and `\b` (no joiners), in `(?m:` and in what ignoring case means.  What
`regex` cannot say exactly is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.text.patterns.cases import long_folds
from tokaudit_reference.text.patterns.code_points import spelled
from tokaudit_reference.text.patterns.oniguruma_sets import (
    ANY,
    CLASSES,
    NAMES,
    WORD,
    bracketed,
    character,
    meant,
)
from tokaudit_reference.text.patterns.properties import property_at
from tokaudit_reference.text.unicode_tables import delta

# Outside a set a word also has the superscripts and fractions of Latin-1.
WORD_ALONE = rf"{WORD}\xb2\xb3\xb9\xbc-\xbe"
IN_WORD = f"[{WORD_ALONE}]"
ESCAPES = {
    "w": IN_WORD,
    "W": f"[^{WORD_ALONE}]",
    "N": r"[^\n]",
    "O": ANY,
    "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])",
}
ANCHORS = {
    "^": r"(?:\A|^(?!\Z))",
    "$": "$",
    r"\A": r"\A",
    r"\z": r"\Z",
    r"\Z": r"(?=\n?\Z)",
    r"\b": f"(?:(?<={IN_WORD})(?!{IN_WORD})|(?<!{IN_WORD})(?={IN_WORD}))",
    r"\B": f"(?:(?<={IN_WORD})(?={IN_WORD})|(?<!{IN_WORD})(?!{IN_WORD}))",
}
COUNTED = re.compile(r"\{(?:(?P<least>\d+)(?P<to>,(?P<most>\d*))?|,(?P<upto>\d+))\}")
OPTIONAL = re.compile(r"[?*]|\{(?:0|,\d|\d+\}\?)")
COMMENT = re.compile(r"\(\?#(?:[^)\\]|\\.)*\)", re.S)
NAMED = re.compile(r"\(\?<[^\W\d]\w*>")
MODES = re.compile(r"\(\?([im]*)(?:-([im]+))?([:)])")
LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
LOOK_BEHINDS = frozenset({"(?<=", "(?<!"})
# What the engine does not take inside a look-behind.
NOT_INSIDE = {"(?<=": {"(?=", "(?!", "(?<!"}, "(?<!": {"(?=", "(?!", "("}}
DEEPEST = 200  # groups inside groups


@dataclass(frozen=True, slots=True)
class Modes:
    """The modes that are switched on: to ignore case, and that `.` matches a newline too."""

    fold: bool = False
    newline: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """The source of one item that a quantifier may follow; it may be a single character."""

    source: str
    one: bool = True
    letter: str = ""  # the character, where case is ignored and it is one
    anchor: bool = False  # whether it, or one of its alternatives, only looks


def translated(pattern: str) -> str:
    r"""Translate a pattern for `regex` with MULTILINE.

    >>> print(translated(r"\p{N}{1,3}+|[a[bc]]{2}?"))
    \p{N}+|(?:[abc]{2})?
    """
    reader = _Reader(pattern)
    source = reader.choice(Modes())
    if reader.at < len(pattern):
        raise SpecError(f"the pattern {pattern[:80]!r} does not compile: a bracket is not opened")
    return source


class _Reader:
    """Reads a pattern; each method reads one construct, moves on and returns its source."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0
        self.heads: list[str] = []  # of the groups that are open
        self.anchored = False  # whether the last choice has an alternative that is an anchor
        self.letters = ""  # those read one after another where case is ignored

    def choice(self, modes: Modes) -> str:
        sources = [self.items(modes)]
        anchored = self.anchored
        while self.pattern.startswith("|", self.at):
            self.at += 1
            self.letters = ""
            sources.append(self.items(modes))
            anchored = anchored or self.anchored
        self.anchored = anchored
        return "|".join(sources)

    def items(self, modes: Modes) -> str:
        sources: list[str] = []
        anchored, optional = False, True
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            if comment := COMMENT.match(self.pattern, self.at):
                self.at = comment.end()
                continue
            item = self.item(modes)
            anchored = item.anchor
            optional = optional and OPTIONAL.match(self.pattern, self.at) is not None
            sources.append(self.quantified(item))
            if sign := self.quantifier():
                raise Unsupported(f"{sign} after a repeat in a pattern")
            self.letters += item.letter or "\n" * item.one
            _refuse_long_folds(self.letters)
        self.anchored = anchored and len(sources) == 1
        if len(sources) > 1 and optional and self.heads and self.heads[-1] in LOOK_BEHINDS:
            raise Unsupported("a look-behind of optional items in a pattern")
        return "".join(sources)

    def item(self, modes: Modes) -> Item:
        """Read a group, a set, an anchor or a character."""
        sign, two = self.pattern[self.at], self.pattern[self.at : self.at + 2]
        if sign == "(":
            return self.group(modes)
        if sign == "[":
            source, self.at = bracketed(self.pattern, self.at, modes.fold)
            return Item(source)
        name = sign if sign in "^$" else two
        if name in ANCHORS:
            self.at += len(name)
            if name in (r"\z", r"\Z") and not LOOK_BEHINDS.isdisjoint(self.heads):
                raise Unsupported(f"{name} in a look-behind in a pattern")
            return Item(ANCHORS[name], one=False, anchor=True)
        if sign in "*+?":
            raise SpecError(f"the pattern {self.pattern[:80]!r} does not compile: {sign} repeats")
        if sign == ".":
            self.at += 1
            return Item(ANY if modes.newline else ".")
        return self.escape(modes) if sign == "\\" else self.character(modes)

    def escape(self, modes: Modes) -> Item:
        """Read a class, a property, a back reference or an escaped character."""
        letter = self.pattern[self.at + 1 : self.at + 2]
        if letter in ESCAPES:
            self.at += 2
            return Item(ESCAPES[letter], one=letter != "R")
        if letter in CLASSES:
            self.at += 2
            inside, opposite = CLASSES[letter]
            plain = inside if inside.startswith("\\") else f"[{'^' * opposite}{inside}]"
            return Item(plain)
        if letter in ("p", "P"):
            inside, opposite, self.at = property_at(self.pattern, self.at, NAMES)
            bare = inside.startswith(r"\p") and inside.count("\\") == 1
            sign = "P" if opposite else "p"
            return Item(f"\\{sign}{inside[2:]}" if bare else f"[{'^' * opposite}{inside}]")
        if letter in tuple("123456789") and not self.pattern[self.at + 2 : self.at + 3].isdigit():
            if modes.fold:
                raise Unsupported("a back reference where case is ignored in a pattern")
            self.at += 2
            return Item(f"\\{letter}", one=False)
        return self.character(modes)

    def character(self, modes: Modes) -> Item:
        """Read one character, with those that equal it if case is ignored."""
        source, self.at = character(self.pattern, self.at)
        if not modes.fold:
            return Item(source)
        letter = meant(source)
        return Item(_equals(letter, source), letter=letter)

    def group(self, modes: Modes) -> Item:
        """Read a group, with the effect of Oniguruma's options spelled out in it."""
        if len(self.heads) >= DEEPEST:
            raise Unsupported("groups nested more than 200 deep in a pattern")
        written = self.at
        head, modes, rest = self.head(modes)
        self.heads.append(head)
        _refuse_inside_look_behind(self.heads)
        body = self.choice(modes)
        self.heads.pop()
        if not rest:
            if not self.pattern.startswith(")", self.at):
                what = f"the pattern {self.pattern[:80]!r} does not compile: a group is not closed"
                raise SpecError(what)
            self.at += 1
        plain = self.pattern.startswith("(?:", written)
        looks = head in LOOKS or (plain and self.anchored)
        return Item(f"{head}{body})", one=False, anchor=looks)

    def head(self, modes: Modes) -> tuple[str, Modes, bool]:
        """Read a group's beginning: its modes, and if it is the rest of the outer group."""
        for head in ("(?:", "(?>", *LOOKS):
            if self.pattern.startswith(head, self.at):
                self.at += len(head)
                return head, modes, False
        if switched := MODES.match(self.pattern, self.at):
            self.at = switched.end()
            for letters, value in ((switched[1], True), (switched[2] or "", False)):
                fold = value if "i" in letters else modes.fold
                newline = value if "m" in letters else modes.newline
                modes = replace(modes, fold=fold, newline=newline)
            return "(?:", modes, switched[3] == ")"
        if named := NAMED.match(self.pattern, self.at):
            self.at = named.end()
            return "(?:", modes, False
        if self.pattern[self.at + 1 : self.at + 2] in ("?", "*"):
            raise Unsupported(f"the group {self.pattern[self.at : self.at + 4]} in a pattern")
        self.at += 1
        return "(", modes, False

    def quantified(self, item: Item) -> str:
        """Read the quantifier of an item, and the sign after that."""
        counted, sign = COUNTED.match(self.pattern, self.at), self.quantifier()
        if sign and item.anchor:
            what = f"the pattern {self.pattern[:80]!r} does not compile: {sign} repeats an anchor"
            raise SpecError(what)
        self.at += len(sign)
        if counted is None:
            return item.source + sign + (self.suffix("?+") if sign else "")
        least = int(counted["least"] or 0)
        most = counted["upto"] or counted["most"] or (None if counted["to"] else str(least))
        if most is not None and int(most) < least:
            raise Unsupported("a repeat whose bounds are reversed in a pattern")
        source = f"{item.source}{{{least},{most or ''}}}"
        if self.suffix("+"):
            return _again(item, source, least, most)
        if counted["to"] or counted["upto"]:
            return source + self.suffix("?")
        fixed = f"{item.source}{{{least}}}"
        return f"(?:{fixed})?" if self.suffix("?") else fixed

    def quantifier(self) -> str:
        """Read the next quantifier, if there is one, without a sign after it."""
        counted = COUNTED.match(self.pattern, self.at)
        sign = self.pattern[self.at : self.at + 1]
        return counted.group() if counted else sign if sign and sign in "?*+" else ""

    def suffix(self, signs: str) -> str:
        """Read the sign after a quantifier, if it is one of these."""
        sign = self.pattern[self.at : self.at + 1]
        if not sign or sign not in signs:
            return ""
        self.at += 1
        return sign


def _refuse_inside_look_behind(heads: list[str]) -> None:
    """Refuse constructs that the engine allows in a lookahead but not in a lookbehind."""
    for around in heads[:-1]:
        if heads[-1] in NOT_INSIDE.get(around, ()):
            raise Unsupported(f"the group {heads[-1]} in a look-behind in a pattern")


def _again(item: Item, source: str, least: int, most: str | None) -> str:
    """Repeat a repeat; of one character `{1,3}+` is `+`, which cannot explode."""
    if item.one and least <= 1 and most != "0":
        return item.source + ("+" if least else "*")
    return f"(?:{source})+"


def _equals(letter: str, source: str) -> str:
    """Return the characters that equal a letter if case is ignored."""
    if letter in "iI":
        return "[Ii]"  # where `regex` adds U+0130
    if letter.isascii() and not letter.isalpha():
        return source
    if len(letter.casefold()) > 1 or letter > "\uffff":
        raise Unsupported(f"{letter!r} where case is ignored in a pattern")
    return source if letter in delta() else spelled(f"(?i:{source})")


def _refuse_long_folds(letters: str) -> None:
    """Refuse letters such as in `(?i:ss)`, which matches ß in Oniguruma but not in `regex`."""
    end = letters[-3:].casefold()
    if len(letters) > 1 and any(fold in end for fold in long_folds()):
        raise Unsupported(f"{end!r}, where one character may match, in a pattern")
