"""SentencePiece's own normalizer: characters map, extra white space, dummy prefix, escape.

Source: `normalizer.cc` in sentencepiece.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.normalizers.precompiled import Charsmap, charsmap

SPACE = "\u2581"


def build(options: Mapping[str, Any]) -> Callable[[str], str]:
    """The normalizer that a model's own settings describe."""
    table = charsmap(options.get("precompiled_charsmap"))
    extra = bool(options.get("remove_extra_whitespaces", True))
    prefix = bool(options.get("add_dummy_prefix", True))
    escape = bool(options.get("escape_whitespaces", True))
    suffix = bool(options.get("treat_whitespace_as_suffix", False))

    def apply(text: str) -> str:
        text = longest_matches(text, table) if table else text
        if extra:
            text = " ".join(part for part in text.split(" ") if part)
        if prefix and text:
            text = text + " " if suffix else " " + text
        return text.replace(" ", SPACE) if escape else text

    return apply


def longest_matches(text: str, table: Charsmap) -> str:
    """The text with the longest key at each place replaced, and nothing looked at twice."""
    data, at = text.encode("utf-8", "replace"), 0
    parts: list[str] = []
    while at < len(data):
        found = table.prefixes(data[at : at + 64])
        if found:
            length, start = found[-1]
            parts.append(table.string(start))
        else:
            length = _width(data[at])
            parts.append(data[at : at + length].decode())
        at += length
    return "".join(parts)


def _width(first: int) -> int:
    """The bytes of a UTF-8 character, from its first."""
    return 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
