r"""Unicode as the libraries know it, whichever version the installed `regex` brings.

The classes of patterns are those of one version in tokenizers and in tiktoken.  `regex` has that
one or a newer one: then it gives classes to code points that have no character yet for the
libraries, and classes a few characters otherwise.  The table has the code points without a
character, and for each character that was classed anew an older one that is classed as it was.

The table is data, measured from the libraries (`make tables`); its digest is its name.  A text with
no character of `delta` is the same to `regex` and to the libraries; for any other the classes of
a pattern are written as explicit ranges.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import regex

from tokaudit_reference.errors import Unsupported

FILE = Path(__file__).with_name("unicode_tables.toml")
NEVER_ASSIGNED = "\U00050000"  # as every code point without a character
SURROGATES = range(0xD800, 0xE000)
END = 0x110000
DIGITS_OF_NAME = 8
WORD = r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]"  # what `\w` is to `regex`
TOKEN = re.compile(
    r"\\(?P<property>[pP](?:\{[^}]*\}|[A-Z]))|\\(?P<set>[dDwWsS])|\\(?P<edge>[bB])"
    r"|(?P<escape>\\.)|(?P<posix>\[:\w+:\])|(?P<bracket>[\[\]])",
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
    """Each character that `regex` may class otherwise -> one that it classes as they do."""
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


@lru_cache(maxsize=1024)
def classed(source: str) -> tuple[Range, ...]:
    r"""The code points of one class of `regex`, as the libraries know it.

    >>> classed(r"\d")[:2]
    ((48, 57), (1632, 1641))
    """
    inside = regex.compile(f"(?:{source})")
    edges = {
        edge for match in regex.finditer(f"(?:{source})+", _scalars()) for edge in match.span()
    }
    for character, like in delta().items():
        if (inside.match(character) is None) != (inside.match(like) is None):
            place = _place(ord(character))
            edges ^= {place, place + 1}
    bounds = sorted(edges)
    return tuple(_split(zip(bounds[::2], bounds[1::2], strict=True)))


def explicit(source: str) -> str:
    r"""A pattern of `regex` with each class written as the ranges that the libraries know.

    >>> print(explicit(r"[\d_]+")[:27])
    [\U00000030-\U00000039\U000
    """
    found: list[str] = []
    at, within = 0, False
    for token in TOKEN.finditer(source):
        found.append(source[at : token.start()])
        at = token.end()
        if token.lastgroup == "bracket":
            within = token.group() == "["
            found.append(token.group())
        elif token.lastgroup == "escape":
            found.append(token.group())
        elif token.lastgroup == "edge":
            found.append(_edge(token.group() == r"\B"))
        else:
            found.append(_written(token, within))
    return "".join([*found, source[at:]])


def _written(token: re.Match[str], within: bool) -> str:
    if token["posix"]:
        if not within:
            raise Unsupported("a class of POSIX outside of a set in a pattern")
        return _listed(classed(f"[{token.group()}]"))
    own = {r"\w": WORD, r"\W": f"[^{WORD[1:]}"}
    ranges = classed(own.get(token.group(), token.group()))
    if not ranges:
        return "" if within else "(?!)"
    return _listed(ranges) if within else f"[{_listed(ranges)}]"


def _edge(inside: bool) -> str:
    word = f"[{_listed(classed(WORD))}]"
    if inside:
        return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"
    return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"


def _listed(ranges: Iterable[Range]) -> str:
    return "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in ranges)


@cache
def _scalars() -> str:
    codes = array("I", range(SURROGATES.start))
    codes.extend(range(SURROGATES.stop, END))
    return codes.tobytes().decode("utf-32")


def _place(code: int) -> int:
    return code if code < SURROGATES.start else code - len(SURROGATES)


def _split(spans: Iterable[Range]) -> Iterator[Range]:
    """Ranges of code points from spans of places, the gap of the surrogates left out."""
    gap = SURROGATES.start
    for first, after in spans:
        if first < gap < after:
            yield first, gap - 1
            first = gap
        moved = len(SURROGATES) if first >= gap else 0
        yield first + moved, after - 1 + moved
