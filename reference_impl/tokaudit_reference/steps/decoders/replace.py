"""Replace: every match of a pattern, literal or regular, by a content.

A fused token, which comes in parts, may match across them: with a literal, what may be the
beginning of a match is held back; with a regular expression, everything.

Source: `Replace` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tokaudit_reference.spec import Unsupported
from tokaudit_reference.steps.decoders.options import text
from tokaudit_reference.steps.decoders.stage import Build, Each, Make, Options, Setting, Whole
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import compiled


class FusedReplace:
    """The stage for a literal that is not empty, in a token that comes in parts."""

    def __init__(self, literal: str, content: str) -> None:
        self._literal, self._content = literal, content
        self._held = ""

    def feed(self, tokens: list[str]) -> list[str]:
        """The token so far, without an end that may begin the literal.

        >>> stage = FusedReplace("<br>", " ")
        >>> stage.feed(["a<b"]), stage.feed(["r><", "b"]), stage.finish()
        (['a'], [' '], ['<b'])
        """
        *settled, rest = (self._held + "".join(tokens)).split(self._literal)
        kept = _begun(rest, self._literal)
        self._held = rest[len(rest) - kept :]
        return [self._content.join([*settled, rest[: len(rest) - kept]])]

    def finish(self) -> list[str]:
        """The beginning that was none."""
        held, self._held = self._held, ""
        return [held]


def _begun(text: str, literal: str) -> int:
    """How much of the literal the text ends with."""
    longest = min(len(text), len(literal) - 1)
    return next((length for length in range(longest, 0, -1) if text.endswith(literal[:length])), 0)


def replacing(pattern: str, content: str) -> Callable[[str], str]:
    """The function that replaces the matches of an expression; an empty token matches nothing.

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


def _build(options: Options, setting: Setting) -> Make:
    pattern, content = options.get("pattern"), text(options, "content", "")
    if not isinstance(pattern, dict) or not pattern.keys() & {"String", "Regex"}:
        raise Unsupported(f"Replace: the pattern is {str(pattern)[:40]!r}", pointer="/decoder")
    literal = text(pattern, "String", "")
    if literal and setting.fused:
        return partial(FusedReplace, literal, content)
    if literal:
        return partial(Each, lambda token: token.replace(literal, content))
    each = Each(replacing(text(pattern, "Regex", ""), content))
    return (lambda: Whole(each)) if setting.fused else (lambda: each)


BUILDERS: dict[str, Build] = {"Replace": _build}
