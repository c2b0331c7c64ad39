"""The normalizers of one line: Unicode forms, case, accents, strip, prepend, replace."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.patterns import compiled

Normalizer = Callable[[str], str]
Options = Mapping[str, Any]


def lowercase(text: str) -> str:
    """Each character by itself, without the context rule for a final sigma.

    >>> lowercase("ΑΣ")
    'ασ'
    """
    return "".join([character.lower() for character in text])


def strip_accents(text: str) -> str:
    """The text without nonspacing marks; decompose first to take accents off letters."""
    return "".join([c for c in text if unicodedata.category(c) != "Mn"])


def _form(name: Any) -> Callable[[Options], Normalizer]:
    return lambda options: lambda text: unicodedata.normalize(name, text)


def _strip(options: Options) -> Normalizer:
    left, right = options.get("strip_left", True), options.get("strip_right", True)

    def strip(text: str) -> str:
        text = text.lstrip() if left else text
        return text.rstrip() if right else text

    return strip


def _prepend(options: Options) -> Normalizer:
    prefix = str(options.get("prepend", ""))
    return lambda text: prefix + text if text else text


def replace(options: Options) -> Normalizer:
    """Every match of a pattern, literal or regular, by the content; an empty literal never."""
    pattern, content = options.get("pattern") or {}, str(options.get("content", ""))
    literal = pattern.get("String")
    if literal == "":
        return lambda text: text
    if literal is not None:
        return lambda text: text.replace(literal, content)
    expression = compiled(str(pattern.get("Regex", "")))
    return lambda text: str(expression.sub(lambda _: content, text))


BUILDERS: dict[str, Callable[[Options], Normalizer]] = {
    **{name: _form(name) for name in ("NFC", "NFD", "NFKC", "NFKD")},
    "Lowercase": lambda options: lowercase,
    "StripAccents": lambda options: strip_accents,
    "Strip": _strip,
    "Prepend": _prepend,
    "Replace": replace,
}
