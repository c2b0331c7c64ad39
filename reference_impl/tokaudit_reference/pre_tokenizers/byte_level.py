"""GPT-2's pre-tokenizer: an optional leading space and its split pattern.

The mapping of bytes to characters is not done here: a byte-level model takes the bytes themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokaudit_reference.patterns import compiled

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def build(options: Mapping[str, Any]) -> Callable[[str, bool], list[str]]:
    """The function of one ByteLevel.

    >>> build({"add_prefix_space": True})("Hello  world", True)
    [' Hello', ' ', ' world']
    """
    prefix = bool(options.get("add_prefix_space", True))
    expression = compiled(GPT2) if options.get("use_regex", True) else None

    def apply(text: str, first: bool) -> list[str]:
        if prefix and not text.startswith(" "):
            text = " " + text
        return [text] if expression is None else expression.findall(text)

    return apply
