"""Characters that are equal to others where case is ignored, one to one, and one to several.

`regex` is asked which are equal one to one, as its tables are newer than those of this Python; what
the libraries have no character for has no case.  It takes i, I and the two Turkish letters U+0130
and U+0131 for one; by Unicode's simple case folding only i and I are.
"""

from __future__ import annotations

from functools import cache, lru_cache

import regex

from tokaudit_reference.text.unicode_tables import delta

CASED = r"[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]"
PLAIN_I = frozenset("iI")
OTHER_I = frozenset("\u0130\u0131")  # each equal to itself alone


@cache
def _cased() -> str:
    """Every character that has a case: none lies beyond the second plane."""
    codes = (*range(0xD800), *range(0xE000, 0x20000))
    found = regex.findall(CASED, "".join(map(chr, codes)))
    return "".join(each for each in found if each not in delta())


@lru_cache(maxsize=512)
def other_cases(members: str) -> str:
    r"""Return the characters missing in a class that equal one of its members but for case.

    >>> other_cases("a-c"), other_cases("k"), other_cases(r"i\d")
    ('ABC', 'K\u212a', 'I')
    """
    inside = set(regex.findall(f"[{members}]", _cased()))
    if not inside:
        return ""
    listed = "".join(f"\\U{ord(character):08x}" for character in sorted(inside))
    equal = set(regex.findall(f"(?i:[{listed}])", _cased())) - OTHER_I
    if inside.isdisjoint(PLAIN_I):
        equal -= PLAIN_I
    return "".join(sorted(equal - inside))


@cache
def long_folds() -> frozenset[str]:
    """Return the strings that equal one character if case is ignored, such as `ss` for ß."""
    folded = (chr(code).casefold() for code in range(0x80, 0x10000))
    return frozenset(each for each in folded if len(each) > 1)
