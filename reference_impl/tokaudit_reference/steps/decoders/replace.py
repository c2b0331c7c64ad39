"""Replace: every match of a pattern, literal or regular, by a content.

A fused token, which comes in parts, may match across them: with a literal, what may be the
beginning of a match is held back; with a regular expression, everything.

Source: `Replace` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tokaudit_reference.errors import Unsupported
from tokaudit_reference.steps.decoders.options import text
from tokaudit_reference.steps.decoders.stage import DecoderStep, Each, Make, Setting, Whole
from tokaudit_reference.steps.pattern import NOTHING, Pattern
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import compiled


class FusedReplace:
    """Replaces a literal, which is not empty, in a token that comes in parts."""

    def __init__(self, literal: str, content: str) -> None:
        self._literal, self._content = literal, content
        self._held = ""

    def feed(self, tokens: list[str]) -> list[str]:
        """Return the token so far, without an end that may begin the literal.

        >>> stage = FusedReplace("<br>", " ")
        >>> stage.feed(["a<b"]), stage.feed(["r><", "b"]), stage.finish()
        (['a'], [' '], ['<b'])
        """
        *settled, rest = (self._held + "".join(tokens)).split(self._literal)
        kept = _begun(rest, self._literal)
        self._held = rest[len(rest) - kept :]
        return [self._content.join([*settled, rest[: len(rest) - kept]])]

    def finish(self) -> list[str]:
        """Return the held-back end, which did not begin the literal."""
        held, self._held = self._held, ""
        return [held]


def _begun(text: str, literal: str) -> int:
    """Return the length of the literal's beginning at the end of the text."""
    longest = min(len(text), len(literal) - 1)
    return next((length for length in range(longest, 0, -1) if text.endswith(literal[:length])), 0)


def replacing(pattern: str, content: str) -> Callable[[str], str]:
    """Return a function that replaces matches of a pattern; an empty token matches nothing.

    >>> replacing("a*", "-")("baac"), replacing("a*", "-")("")
    ('-b-c-', '')
    """
    expression = compiled(pattern)

    def replace(token: str) -> str:
        parts: list[str] = []
        at = 0
        for start, end in find(expression, token) if token else ():
            parts += token[at:start], content
            at = end
        return "".join([*parts, token[at:]])

    return replace


@dataclass(frozen=True)
class Replace(DecoderStep):
    """The Replace step; an empty literal is an empty expression here."""

    type = "Replace"
    pattern: Pattern = NOTHING
    content: str = ""

    @classmethod
    def from_json(cls, options: Options) -> Replace:
        """Read the pattern and the content."""
        pattern, content = options.get("pattern"), text(options, "content", "")
        if not isinstance(pattern, dict) or not pattern.keys() & {"String", "Regex"}:
            what = f"{cls.type}: the pattern is {str(pattern)[:40]!r}"
            raise Unsupported(what, pointer="/decoder")
        literal = text(pattern, "String", "")
        return cls(Pattern(literal or text(pattern, "Regex", ""), is_regex=not literal), content)

    def to_json(self) -> dict[str, Any]:
        """Write the pattern and the content as `tokenizer.json` does."""
        return {**super().to_json(), "pattern": self.pattern.to_json()}

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that see each token, or a fused one whole."""
        literal, content = self.pattern.literal, self.content
        if literal and setting.fused:
            return partial(FusedReplace, literal, content)
        if literal:
            return partial(Each, lambda token: token.replace(literal, content))
        each = Each(replacing(self.pattern.text, content))
        return (lambda: Whole(each)) if setting.fused else (lambda: each)

    @property
    def effects(self) -> Effects:
        """State that the step reads its pattern, which may be a mark for a space."""
        return Effects(pattern=self.pattern, writes=self.content)
