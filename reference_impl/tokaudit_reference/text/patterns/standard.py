r"""Rewrites a pattern of `regex` for the standard `re`, where that is certain to be the same.

A pattern is read as items that match one character (classes, properties, letters) and what holds
them together.  Items become explicit classes (see `code_points`), and so do groups that take one
character whichever way they match, as sets with operators are written.  Other groups, alternation,
lookaround and quantifiers of one item mean the same to both engines and stay.  What either engine
might read in its own way (back references, named or atomic groups, flags other than a group's
`(?i:`, a repeated group, a bracket inside a class, word boundaries) is left to `regex`: the answer
is None.

The result holds only for texts without characters beyond U+FFFF.  Nothing is matched here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit_reference.text.patterns.code_points import spelled

TOKENS = re.compile(
    r"""(?P<classy>\[\^?\]?
                      (?:\\[pP]\{[\^\w=: -]*\}|\\[pP][A-Z]|\\[^pPNgkABbZzGXRKmM<>LQE]|[^\]\[\\])*\]
                 |\\[pP]\{[\^\w=: -]*\}|\\[pP][A-Z]|\\[dDwWsS]|\.)
      |(?P<letter>\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\[rntfv]|\\[^\w]
                 |[^\\\[\](){}|?*+^$.])
      |(?P<open>\((?:\?(?:i?:|=|!|<=|<!)|(?!\?)))
      |(?P<close>\)(?:\?[?]?)?(?![*+?{]))
      |(?P<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?)
      |(?P<other>\||\^|\$|\\A|\\Z)
    """,
    re.VERBOSE,
)


def standard(pattern: str) -> str | None:
    r"""Translate a pattern for `re`, or return None if `regex` must be used.

    >>> print(standard(r"(?i:k)[b-da]{2,}+(?!x)"))
    (?:[\u004b-\u004b\u006b-\u006b\u212a-\u212a])[\u0061-\u0064]{2,}+(?!x)
    >>> standard(r"(a)\1"), standard("(?:a*)*")
    (None, None)
    """
    parts: list[str] = []
    folding = [False]  # for each open group, whether it ignores case
    for kind, text in _tokens(pattern):
        if kind == "open":
            folding.append(folding[-1] or text == "(?i:")
            parts.append("(?:" if text == "(?i:" else text)
        elif kind == "close" and len(folding) > 1:
            folding.pop()
            parts.append(text)
        elif kind in ("repeat", "other") or (kind == "letter" and not folding[-1]):
            parts.append(text)
        elif kind in ("letter", "classy"):
            parts.append(spelled(f"(?i:{text})" if folding[-1] else text))
        else:
            return None
    return "".join(parts)


def _tokens(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and text of each part; the kind of an unknown part is empty."""
    at = 0
    while at < len(pattern):
        if end := _one_of_many(pattern, at):
            yield "classy", pattern[at:end]
            at = end
            continue
        found = TOKENS.match(pattern, at)
        if found is None:
            yield "", pattern[at:]
            return
        yield str(found.lastgroup), found.group()
        at = found.end()


def _one_of_many(pattern: str, at: int) -> int:
    """Return the end of a group that takes one character, or 0 if none begins here.

    >>> _one_of_many("(?:(?=[a-d])[^b])+", 0), _one_of_many("(?:[a-d]x)", 0)
    (17, 0)
    """
    return _choice(pattern, at + 3) if pattern.startswith("(?:", at) else 0


def _choice(pattern: str, at: int) -> int:
    """Return the end of a group whose alternatives each take one character, or 0."""
    while at:
        while at and pattern.startswith(("(?=", "(?!"), at):
            at = _choice(pattern, at + 3)
        at = at and _one(pattern, at)
        if at and pattern.startswith(")", at):
            return at + 1
        at = at + 1 if at and pattern.startswith("|", at) else 0
    return 0


def _one(pattern: str, at: int) -> int:
    """Return the end of the item if it takes one character, or 0."""
    found = TOKENS.match(pattern, at)
    if found and found.lastgroup in ("classy", "letter"):
        return found.end()
    return _one_of_many(pattern, at)
