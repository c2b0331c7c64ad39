r"""The names of Unicode properties that an engine knows, as `\p{L}` or `\p{Script=Han}` has them.

`regex` knows more names than either engine, blocks among them, and a name that the engine refuses
is no pattern.  General categories and scripts are what all three know; of the other properties
those that are listed were compared with the engines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import regex

from tokaudit_reference.errors import Unsupported

PROPERTY = re.compile(
    r"\\(?P<sign>[pP])(?:(?P<letter>[A-Z])|\{(?P<not>\^?)(?:(?P<key>\w+)[=:])?(?P<name>[A-Za-z_]+)\})"
)
BINARY = frozenset(
    {
        "alphabetic",
        "cased",
        "caseignorable",
        "defaultignorablecodepoint",
        "dash",
        "diacritic",
        "extender",
        "hexdigit",
        "asciihexdigit",
        "idcontinue",
        "idstart",
        "ideographic",
        "joincontrol",
        "lowercase",
        "math",
        "uppercase",
        "variationselector",
        "whitespace",
        "xidcontinue",
        "xidstart",
    }
)
KEYS = {
    "gc": "gc",
    "general_category": "gc",
    "sc": "Script",
    "script": "Script",
    "scx": "scx",
    "script_extensions": "scx",
}
MEANT = {"any": r"\x00-\U0010ffff", "ascii": r"\x00-\x7f", "assigned": r"\P{Cn}"}
REFUSED = frozenset({"katakanaorhiragana", "unknown", "zzzz", "surrogate"})  # not by all three


def property_at(
    pattern: str, at: int, own: Mapping[str, str] | None = None
) -> tuple[str, bool, int]:
    r"""Read a property: the inside of its class, whether it is negated, and its end.

    An engine with names of its `own` knows neither `\pL` nor `\p{Script=Han}`.

    >>> property_at(r"\P{Lu}+", 0), property_at(r"\p{Han}", 0)
    (('\\p{Lu}', True, 6), ('\\p{Script=Han}', False, 7))
    """
    found = PROPERTY.match(pattern, at)
    if found is None or (own is not None and (found["key"] or found["letter"])):
        raise Unsupported(f"the property {pattern[at : at + 20]} in a pattern")
    name = found["letter"] or found["name"]
    inside = (own or {}).get(name.lower()) or _inside(name, (found["key"] or "").lower())
    if not inside:
        raise Unsupported(f"the property {found.group()} in a pattern")
    return inside, (found["sign"] == "P") != bool(found["not"]), found.end()


@lru_cache(maxsize=512)
def _inside(name: str, key: str) -> str:
    """Return the property's name for `regex`; "" if none is known to mean the same."""
    plain = name.replace("_", "").lower()
    if plain in REFUSED:
        return ""
    if key:
        kind = KEYS.get(key, "")
        return f"\\p{{{kind}={name}}}" if kind and _has(kind, name) else ""
    if plain in MEANT:
        return MEANT[plain]
    if _has("gc", name):
        return f"\\p{{{name}}}"
    if _has("Script", name):
        return f"\\p{{Script={name}}}"
    return f"\\p{{{plain}}}" if plain in BINARY else ""


def _has(kind: str, name: str) -> bool:
    try:
        regex.compile(f"\\p{{{kind}={name}}}")
    except regex.error:
        return False
    return True
