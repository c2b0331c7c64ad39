"""Replace: every match of a pattern, literal or regular, by a content.

An empty literal matches at both ends of a text and between its characters, as in the library.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokaudit_reference.steps.normalizers.step import NormalizerStep, Rewriting
from tokaudit_reference.steps.pattern import NOTHING, Pattern
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text.alignment import Edit, all_from
from tokaudit_reference.text.bytes_alphabet import in_alphabet
from tokaudit_reference.text.matching import find, find_literal
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.patterns.classes import classes


@dataclass(frozen=True)
class Replace(NormalizerStep):
    """The Replace step; a replacement stands for the last character of its match."""

    type = "Replace"
    pattern: Pattern = NOTHING
    content: str = ""

    @classmethod
    def from_json(cls, options: Options) -> Replace:
        """Read the pattern and the content."""
        return cls(Pattern.from_json(options.get("pattern")), str(options.get("content", "")))

    def to_json(self) -> dict[str, Any]:
        """Write the pattern and the content as `tokenizer.json` does."""
        return {
            "type": self.type,
            "pattern": self.pattern.to_json(),
            "content": self.content,
        }

    def build(self) -> Rewriting:
        """Rewrite the matches."""
        if self.pattern.is_regex:
            return matches_replaced(self.pattern.text, self.content)
        return replaced(self.pattern.text, self.content)

    @property
    def effects(self) -> Effects:
        """State that the step loses its matches, except a space whose mark the decoder reads."""
        marks_spaces = self.pattern == Pattern(" ") and self.content != ""
        return Effects(
            loses="" if marks_spaces else "replaces text",
            character_wise=not self.pattern.is_regex and len(self.pattern.text) == 1,
            pattern=self.pattern,
            writes=self.content,
            stays_in_alphabet=in_alphabet(self.content),
            tables=frozenset(classes(self.pattern.text)) if self.pattern.is_regex else frozenset(),
        )

    def acts_as(self, *, ids_only: bool = False) -> Replace | None:
        """Return None if a literal is replaced by itself, or nothing by nothing."""
        if self.pattern.is_regex or self.pattern.text != self.content:
            return self
        return self if len(self.pattern.text) > 1 and not ids_only else None


def matches_replaced(pattern: str, content: str) -> Rewriting:
    """The rewriting that puts `content` for every match of an expression."""
    expression = compiled(pattern)

    def edits(text: str) -> list[Edit]:
        return [all_from(end - 1, start, end, content) for start, end in find(expression, text)]

    def apply(text: str) -> str:
        parts: list[str] = []
        at = 0
        for start, end in find(expression, text):
            parts += text[at:start], content
            at = end
        return "".join([*parts, text[at:]])

    return Rewriting(apply, edits)


def replaced(literal: str, content: str) -> Rewriting:
    """The rewriting that puts `content` for every occurrence of a literal."""

    def edits(text: str) -> list[Edit]:
        found = find_literal(literal, text)
        return [all_from(end - 1, start, end, content) for start, end in found]

    return Rewriting(lambda text: text.replace(literal, content), edits)
