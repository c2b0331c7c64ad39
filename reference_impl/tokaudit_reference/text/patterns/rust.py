r"""Writes a pattern of tiktoken (fancy-regex over Rust's regex-syntax) for `regex`.

The dialects share most of their signs and differ in sets (see `rust_sets`), in `\s`, in `$`, in
what ignoring case means, in `{` where no repeat follows, and in how far `(?i)` reaches.  Every
construct is read here: what is not known to mean the same is refused, and nothing is passed on
unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.text.patterns.oniguruma_sets import ANY, WHITE_SPACE
from tokaudit_reference.text.patterns.rust_sets import (
    bracketed,
    class_escape,
    class_source,
    code_point,
    spelled,
)

ANCHORS = {"^": r"\A", "$": r"\Z", r"\A": r"\A", r"\z": r"\Z", r"\b": r"\b", r"\B": r"\B"}
LINE_ANCHORS = {"^": r"(?:\A|(?<=\n))", "$": r"(?=\n|\Z)"}
ESCAPES = {r"\N": r"[^\n]", r"\O": ANY, r"\R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])"}
# The classes that `regex` names as the engine does, for which no set is written.
PLAIN = frozenset({r"\d", r"\w", WHITE_SPACE})
COUNTED = re.compile(r"\{(?:(?P<least>\d+)(?P<to>,(?P<most>\d*))?|,(?P<upto>\d*))\}")
FLAGS = re.compile(r"\(\?([imsu]*)(?:-([ims]+))?([:)])")
NAMED = re.compile(r"\(\?P?<[^\W\d]\w*>")
LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
DEEPEST = 60  # groups inside groups; the engine refuses 64


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags that are switched on: to ignore case, multi-line, and `.` for a newline."""

    i: bool = False
    m: bool = False
    s: bool = False


def translated(pattern: str) -> str:
    """Translate a pattern for `regex`, without any option.

    >>> print(translated("[a-d&&[^b]]+$|(?i:s)"))
    (?:(?=[a-d])[^b])+\\Z|(?:[sSſ])
    """
    reader = _Reader(pattern)
    source = reader.choice()
    if reader.at < len(pattern):
        raise reader.wrong("a bracket is not opened")
    if reader.named and reader.refers:
        raise Unsupported("back references with named groups in a pattern")
    return source


class _Reader:
    """Reads a pattern; each method reads one construct, moves on and returns its source."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.depth, self.flags = pattern, 0, 0, Flags()
        self.named = self.refers = False

    def wrong(self, why: str) -> SpecError:
        """Return the error of a pattern that the engine refuses."""
        return SpecError(f"the pattern {self.pattern[:80]!r} does not compile: {why}")

    def choice(self) -> str:
        sources = [self.items()]
        while self.pattern.startswith("|", self.at):
            self.at += 1
            sources.append(self.items())
        return "|".join(sources)

    def items(self) -> str:
        sources: list[str] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            if switched := self.switched():
                self.flags = switched
            else:
                start = self.at
                sources.append(self.quantified(self.item(), self.pattern[start:]))
        return "".join(sources)

    def switched(self) -> Flags | None:
        """Read `(?i)`: its flags hold for the rest of the pattern, branches included."""
        found = FLAGS.match(self.pattern, self.at)
        if found is None or found[3] == ":":
            return None
        if self.depth or not found[1] + (found[2] or ""):
            raise Unsupported(f"{found.group()} in a group, or without a flag, in a pattern")
        self.at = found.end()
        return _changed(self.flags, found)

    def item(self) -> str:
        """Read a group, a set, an anchor or a character."""
        sign = self.pattern[self.at]
        if sign == "(":
            return self.group()
        if sign == "[":
            source, self.at = bracketed(self.pattern, self.at, self.flags.i)
            return source
        name = self.pattern[self.at : self.at + 2] if sign == "\\" else sign
        if name in ANCHORS:
            self.at += len(name)
            if name in (r"\b", r"\B") and self.pattern.startswith("{", self.at):
                raise self.wrong(f"{name}{{")
            return (LINE_ANCHORS if self.flags.m else {}).get(name, ANCHORS[name])
        if sign in "*+?":
            raise self.wrong(f"{sign} repeats nothing")
        if sign == ".":
            self.at += 1
            return ANY if self.flags.s else "."
        return self.escape(name) if sign == "\\" else self.character()

    def escape(self, name: str) -> str:
        """Read a class, a property, a back reference or an escaped character."""
        if name in ESCAPES:
            self.at += 2
            return ESCAPES[name]
        if found := class_escape(self.pattern, self.at):
            inside, negated, self.at = found
            if inside in PLAIN or (inside.startswith(r"\p") and not self.flags.i):
                return f"\\{inside[1].swapcase() if negated else inside[1]}{inside[2:]}"
            return class_source(inside, negated, self.flags.i)
        if name[1:] in tuple("123456789"):
            if self.flags.i or self.pattern[self.at + 2 : self.at + 3].isdigit():
                raise Unsupported(f"the back reference {name} in a pattern")
            self.at, self.refers = self.at + 2, True
            return name
        return self.character()

    def character(self) -> str:
        """Read one character, with those that equal it if case is ignored."""
        code, self.at = code_point(self.pattern, self.at)
        source = spelled(code)
        if not self.flags.i:
            return source
        folded = class_source(source, False, True)
        return source if folded == f"[{source}]" else folded

    def group(self) -> str:
        """Read a group, with the effect of its flags spelled out in it."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unsupported("groups nested more than 60 deep in a pattern")
        before = self.flags
        head = self.head()
        body = self.choice()
        if not self.pattern.startswith(")", self.at):
            raise self.wrong("a group is not closed")
        self.at, self.depth, self.flags = self.at + 1, self.depth - 1, before
        return f"{head}{body})"

    def head(self) -> str:
        """Read the beginning of a group, and switch on its flags."""
        for head in ("(?>", *LOOKS):
            if self.pattern.startswith(head, self.at):
                self.at += len(head)
                return head
        if flags := FLAGS.match(self.pattern, self.at):
            self.at, self.flags = flags.end(), _changed(self.flags, flags)
            return "(?:"
        if named := NAMED.match(self.pattern, self.at):
            self.at, self.named = named.end(), True
            return "(?:"
        if self.pattern[self.at + 1 : self.at + 2] == "?":
            raise Unsupported(f"the group {self.pattern[self.at : self.at + 4]} in a pattern")
        self.at += 1
        return "("

    def quantified(self, source: str, written: str) -> str:
        """Read the quantifier after an item, if there is one."""
        sign = self.quantifier()
        if not sign:
            return source
        if source in (*ANCHORS.values(), *LINE_ANCHORS.values()) or written.startswith(LOOKS):
            raise Unsupported("a repeat of what takes no character in a pattern")
        lazy = self.suffix("?")
        atomic = self.suffix("+")
        if self.quantifier():
            raise Unsupported("a repeat of a repeat in a pattern")
        repeated = f"{source}{sign}{lazy}"
        return f"(?>{repeated})" if lazy and atomic else f"{repeated}{atomic}"

    def quantifier(self) -> str:
        """Read the next quantifier, if there is one, as `regex` writes it."""
        sign = self.pattern[self.at : self.at + 1]
        if sign and sign in "?*+":
            self.at += 1
            return sign
        counted = COUNTED.match(self.pattern, self.at)
        if counted is None:
            return ""
        self.at = counted.end()
        if counted["least"] and not counted["to"]:
            return f"{{{int(counted['least'])}}}"
        least, most = int(counted["least"] or 0), counted["most"] or counted["upto"] or ""
        if most and int(most) < least:
            raise Unsupported("a repeat whose bounds are reversed in a pattern")
        return f"{{{least},{most}}}"

    def suffix(self, sign: str) -> str:
        """Read the sign, if it comes next."""
        found = self.pattern.startswith(sign, self.at)
        self.at += found
        return sign if found else ""


def _changed(flags: Flags, found: re.Match[str]) -> Flags:
    """Apply the flags that a match of `FLAGS` switches on and off."""
    on = {letter: True for letter in found[1] if letter != "u"}
    return replace(flags, **on, **dict.fromkeys(found[2] or "", False))
