"""A pattern that a step looks for in a text: a literal, or a regular expression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """A literal text or a regular expression."""

    text: str
    is_regex: bool = False

    @classmethod
    def from_json(cls, stated: Any) -> Pattern:
        """Read `{"String": ...}` or `{"Regex": ...}`; a bare string is a literal.

        >>> Pattern.from_json({"String": "a"}), Pattern.from_json(None)
        (Pattern(text='a', is_regex=False), Pattern(text='', is_regex=True))
        """
        if isinstance(stated, str):
            return cls(stated)
        stated = stated if isinstance(stated, Mapping) else {}
        literal = stated.get("String")
        if literal is not None:
            return cls(str(literal))
        return cls(str(stated.get("Regex", "")), is_regex=True)

    def to_json(self) -> dict[str, str]:
        """The pattern as `tokenizer.json` writes it."""
        return {"Regex" if self.is_regex else "String": self.text}

    @property
    def literal(self) -> str:
        """Return the literal; empty for a regular expression."""
        return "" if self.is_regex else self.text


@dataclass(frozen=True, slots=True)
class SplitAt:
    """One way to cut a text: its pattern, and the treatment of matches."""

    pattern: Pattern
    behavior: str = "Isolated"
    invert: bool = False
    rust: bool = False
    python: bool = False


NOTHING = Pattern("", is_regex=True)  # what an unstated pattern is taken for
