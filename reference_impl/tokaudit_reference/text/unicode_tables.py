r"""Unicode as the libraries know it, whichever version the installed `regex` brings.

The classes of patterns are those of one version in tokenizers and in tiktoken.  `regex` has that
one or a newer one: then it gives classes to code points that have no character yet for the
libraries, and classes a few characters otherwise.  The table has the code points without a
character, and for each character that was classed anew an older one that is classed as it was.

The table is data, measured from the libraries (`make tables`); its digest is its name.  A text with
no character of `delta` is the same to `regex` and to the libraries; for any other the classes of
a pattern are amended by the ones that they take wrongly or not at all.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import regex

FILE = Path(__file__).with_name("unicode_tables.toml")
NEVER_ASSIGNED = "\U00050000"  # as every code point without a character
DIGITS_OF_NAME = 8
CLASS = re.compile(r"\\[pP](?:\{[^}]*\}|[A-Z])|\\[dDwWsS]|\[:\w+:\]")
TOKEN = re.compile(
    r"\[(?P<negated>\^?)(?P<items>(?:\\.|\[:\w+:\]|[^\]\\])*)\]"
    rf"|(?P<class>{CLASS.pattern})|\\(?P<edge>[bB])|\\.",
    re.DOTALL,
)
Range = tuple[int, int]  # first and last


@dataclass(frozen=True)
class Table:
    """The code points without a character, characters by which others are classed, and numbers.

    `numbers` are those that the pre-tokenizer `Digits` knows besides the class of patterns.
    """

    name: str
    unassigned: tuple[Range, ...]
    classed_like: Mapping[str, str]
    numbers: frozenset[str]

    def has_no(self, character: str) -> bool:
        """Return whether a code point has no character for the libraries."""
        starts = [first for first, _ in self.unassigned]
        place = bisect_right(starts, ord(character)) - 1
        return place >= 0 and ord(character) <= self.unassigned[place][1]


@cache
def table() -> Table:
    """The table that is carried in this package."""
    data = FILE.read_bytes()
    stated = tomllib.loads(data.decode("utf-8"))
    patterns = stated["patterns"]
    return Table(
        hashlib.sha256(data[data.index(b"[patterns]") :]).hexdigest()[:DIGITS_OF_NAME],
        tuple(read_ranges(patterns["unassigned"])),
        patterns["classed_like"],
        characters_of(stated["numbers"]["more"]),
    )


def read_ranges(written: str) -> Iterator[Range]:
    """Ranges written as distances and lengths in base 36.

    >>> list(read_ranges("a 2.3"))
    [(10, 10), (12, 15)]
    """
    end = 0
    for part in written.split():
        distance, _, length = part.partition(".")
        first = end + int(distance, 36)
        end = first + int(length or "0", 36)
        yield first, end


def characters_of(written: str) -> frozenset[str]:
    """The characters of written ranges.

    >>> sorted(characters_of("1t.2"))
    ['A', 'B', 'C']
    """
    return frozenset(
        chr(code) for first, last in read_ranges(written) for code in range(first, last + 1)
    )


@cache
def delta() -> Mapping[str, str]:
    """Map each character that `regex` may class otherwise to one that it classes alike."""
    known = table()
    empty = "".join("".join(map(chr, range(first, last + 1))) for first, last in known.unassigned)
    newer = dict.fromkeys(regex.findall(r"\P{Cn}", empty), NEVER_ASSIGNED)
    return {**newer, **known.classed_like}


@cache
def _suspect() -> re.Pattern[str]:
    """Return a pattern of characters of the delta within the basic plane, and all beyond it."""
    within = [character for character in delta() if character <= "\uffff"]
    return re.compile(f"[{''.join(map(re.escape, within))}\U00010000-\U0010ffff]")


def meets_delta(text: str) -> bool:
    """Return whether a text has a character that `regex` may class otherwise than the libraries.

    >>> meets_delta("naïve"), meets_delta("\u0295")
    (False, True)
    """
    return not text.isascii() and not delta().keys().isdisjoint(_suspect().findall(text))


def as_known(source: str) -> str:
    r"""A pattern of `regex` whose classes are those of the libraries.

    A class, and a set that has one, leaves out the characters of the delta that it takes only for
    `regex`, and takes those that it takes only for the libraries.  Sets are flat: the dialects
    write neither operators nor a set in a set.

    >>> as_known(r"[a-f]+\\p{Zs}")
    '[a-f]+\\\\p{Zs}'
    """
    return TOKEN.sub(_with_known_classes, source)


def _with_known_classes(token: re.Match[str]) -> str:
    whole = token.group()
    if token["edge"]:
        return _edge(_set_as_known(r"\w", r"\w"), inside=whole == r"\B")
    items = whole if token["class"] else token["items"]
    classes = "".join(CLASS.findall(items or ""))
    if not classes:
        return whole
    return _set_as_known(whole, classes, CLASS.sub("", items), bool(token["negated"]))


@lru_cache(maxsize=1024)
def _set_as_known(whole: str, classes: str, named: str = "", negated: bool = False) -> str:
    """A class or a set of `classes` and of characters that it names itself."""
    doubtful = "".join(delta())
    wanted = set(regex.findall(rf"[\x00{named}]", doubtful))
    for like, characters in _by_like().items():
        if regex.match(f"[{classes}]", like):
            wanted |= characters
    if negated:
        wanted = delta().keys() - wanted
    taken = set(regex.findall(whole, doubtful))
    left_out, added = _listed(taken - wanted), _listed(wanted - taken)
    kept = f"(?![{left_out}]){whole}" if left_out else whole
    return f"(?:{kept}|[{added}])" if added else f"(?:{kept})" if left_out else whole


@cache
def _by_like() -> Mapping[str, frozenset[str]]:
    """Each character by which others are classed -> those."""
    found: dict[str, set[str]] = {}
    for character, like in delta().items():
        found.setdefault(like, set()).add(character)
    return {like: frozenset(characters) for like, characters in found.items()}


def _edge(word: str, *, inside: bool) -> str:
    if word == r"\w":
        return r"\B" if inside else r"\b"
    if inside:
        return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"
    return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"


def _listed(characters: Iterable[str]) -> str:
    """Characters as the ranges of a set."""
    found: list[list[int]] = []
    for code in sorted(map(ord, characters)):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in found)
