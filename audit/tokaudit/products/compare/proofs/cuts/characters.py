r"""Characters of a pattern's atom, by a reader independent of the engine's compiler.

Prover and checker both ask the engine for the characters of an atom, by the same translation from
the library's dialect; a fault there would give both the same wrong classes.  So an atom that is
plainly written is also spelled here, for `regex` as it is, and has to take the same characters.
So it has where case is ignored, if it takes ASCII alone.  What is not plain (foreign classes,
operators in a class) is left to the engine.
"""

from __future__ import annotations

import re

WHITE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""White_Space of Unicode, which has not changed since version 6.3."""
SETS = {"d": r"\p{Nd}", "D": r"\P{Nd}", "s": WHITE, "S": r"\P{White_Space}"}
OF_WORDS = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
WORDS = {
    "rust": OF_WORDS + r"\p{Join_Control}",
    "class": OF_WORDS,
    "alone": OF_WORDS + r"\xb2\xb3\xb9\xbc-\xbe",
}
"""What a letter of words takes in Rust, and in Oniguruma in a class and alone."""
CONTROLS = {"r": r"\x0d", "n": r"\x0a", "t": r"\x09", "f": r"\x0c", "v": r"\x0b"}
ASCII = "".join(map(chr, range(0x80)))
THIRD = {"k": "\u212a", "s": "\u017f"}
"""What equals a letter of ASCII where case is ignored, besides its other case."""
ITEM = re.compile(
    r"\\(?:(?P<property>[pP]\{[A-Z][a-z]?\})|(?P<control>[rntfv])|(?P<set>[dDsSw])"
    r"|x(?P<two>[0-9A-Fa-f]{2})|u(?P<four>[0-9A-Fa-f]{4})|x\{(?P<code>[0-9A-Fa-f]{1,6})\}"
    r"|(?P<escaped>\W))|(?P<plain>[^\\\[\]&|~:^-])",
    re.ASCII | re.S,
)


class OtherCharacters(Exception):
    """Raised if the engine matches other characters for an atom than its spelling says."""


def spelled(source: str, *, rust: bool = False, python: bool = False) -> str | None:
    r"""Return the atom in the syntax of `regex`; None if it is not plain.

    >>> spelled(r"\d"), spelled(r"[^\r\nA-Z]"), spelled(r"\W"), spelled("[a&&b]")
    ('[\\p{Nd}]', '[^\\x0d\\x0aA-Z]', None, None)
    """
    found = items(source, rust=rust, python=python)
    return None if found is None else f"[{'^' * found[1]}{''.join(found[0])}]"


def items(
    source: str, *, rust: bool = False, python: bool = False
) -> tuple[list[str], bool] | None:
    """Return the items of the atom's class, and whether it is negated; None if not plain."""
    within = source[1:-1] if source[:1] == "[" and source[-1:] == "]" else source
    negated = within is not source and within.startswith("^")
    words = WORDS["rust" if rust else "alone" if within is source else "class"]
    found = None if source == "." else _items(within[negated:], words, python)
    if not found or (within is source and len(found) != 1):
        return None
    return found, negated


def in_either_case(characters: str) -> str:
    """Return the items of ASCII characters in either case; two letters have a third form.

    >>> in_either_case("k"), in_either_case("1")
    ('kK\u212a', '1')
    """
    forms = (each for c in characters for each in (c, c.swapcase(), THIRD.get(c.lower(), "")))
    return re.escape("".join(dict.fromkeys("".join(forms))))


def _items(text: str, words: str, python: bool) -> list[str] | None:
    """Return the items of a class; a range keeps its dash."""
    found: list[str] = []
    at, in_range = 0, False
    while at < len(text):
        item = ITEM.match(text, at)
        written = None if item is None else _written(item, words, python)
        if item is None or written is None or (in_range and _is_set(written)):
            return None
        found.append(written)
        at, was_in_range = item.end(), in_range
        if in_range := text.startswith("-", at):
            if was_in_range or _is_set(written) or at + 1 == len(text):
                return None
            found.append("-")
            at += 1
    return found


def _is_set(written: str) -> bool:
    return written[:2] in (r"\p", r"\P") or written == WHITE


def _written(item: re.Match[str], words: str, python: bool) -> str | None:
    kind = item.lastgroup or ""
    value = item[kind]
    match kind:
        case "property":
            return None if value[2] == "C" else "\\" + value
        case "control":
            return CONTROLS[value]
        case "set":
            return None if python and value in "sSw" else {**SETS, "w": words}[value]
        case "two" | "four" | "code":
            return rf"\U{int(value, 16):08x}"
    return re.escape(value)
