r"""Compiles the split patterns of the vendors with `regex`, minding where the dialects differ.

`\s` is Unicode's White_Space for every vendor, but also matches U+001C to U+001F in Python.  `$` is
the end of a line in Oniguruma's Ruby syntax and the very end of the text in Rust.  Nothing else is
translated: a pattern that `regex` does not take is refused.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import regex

from tokaudit_reference.spec import SpecError

WHITE_SPACE = r"\p{White_Space}"
NOT_WHITE_SPACE = r"\P{White_Space}"


@lru_cache(maxsize=256)
def compiled(pattern: str, *, rust: bool = False) -> Any:
    """A pattern of Hugging Face's tokenizers (Oniguruma), or of tiktoken (`rust`).

    >>> compiled(r"\\s").fullmatch("\\x1c") is None
    True
    """
    try:
        return regex.compile(_translated(pattern, rust), 0 if rust else regex.MULTILINE)
    except regex.error as error:
        raise SpecError(f"the pattern {pattern[:80]!r} does not compile: {error}") from error


def _translated(pattern: str, rust: bool) -> str:
    """The pattern with `\\s`, `\\S` and, for Rust, `$` spelled out."""
    parts: list[str] = []
    at, in_class = 0, 0
    while at < len(pattern):
        step = pattern[at : at + 2] if pattern[at] == "\\" else pattern[at]
        if step == "\\s":
            parts.append(WHITE_SPACE)
        elif step == "\\S":
            parts.append(NOT_WHITE_SPACE)
        elif step == "$" and rust and not in_class:
            parts.append(r"\Z")
        else:
            in_class += (step == "[") - (step == "]" and in_class > 0)
            parts.append(step)
        at += len(step)
    return "".join(parts)
