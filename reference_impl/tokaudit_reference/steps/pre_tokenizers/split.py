"""Split at the matches of a pattern, with the five behaviours and their inverse.

Source: `Split` and `SplitDelimiterBehavior` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tokaudit_reference.errors import SpecError
from tokaudit_reference.steps.pattern import NOTHING, Pattern, SplitAt
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep, cutting
from tokaudit_reference.steps.step import Effects, Options
from tokaudit_reference.text.alignment import Span
from tokaudit_reference.text.matching import find, find_as_python, find_literal
from tokaudit_reference.text.patterns import Expression, compiled
from tokaudit_reference.text.patterns.classes import classes

Part = tuple[int, int, bool]  # [start, end) of the text, and whether it is a delimiter
Find = Callable[[str], Iterable[Span]]
DIALECTS = ("rust", "python")


@dataclass(frozen=True)
class Split(PreTokenizerStep):
    """The Split step; `rust` and `python` are our own, and name the pattern's dialect."""

    type = "Split"
    pattern: Pattern = NOTHING
    behavior: str = "Isolated"
    invert: bool = False
    rust: bool = False
    python: bool = False

    @classmethod
    def from_json(cls, options: Options) -> Split:
        """The options; raises `SpecError` for an unknown behaviour."""
        step = super().from_json({**options, "pattern": Pattern.from_json(options.get("pattern"))})
        refuse_unknown(step.behavior)
        return step

    def to_json(self) -> dict[str, Any]:
        """The options; a dialect only where there is one, as the library knows none."""
        own = {**super().to_json(), "pattern": self.pattern.to_json()}
        return {name: value for name, value in own.items() if name not in DIALECTS or value}

    def build(self) -> Cutting:
        """Return a cutting around the matches of the pattern."""
        behavior, invert = self.behavior, self.invert
        if not self.pattern.is_regex:
            return split_at(partial(find_literal, self.pattern.text), behavior, invert)
        expression = compiled(self.pattern.text, rust=self.rust, python=self.python)
        walk = find_as_python if self.python else find
        slow = split_at(partial(walk, expression), behavior, invert)
        if behavior == "Removed" and invert:
            return _keeping(expression, slow)
        return _isolating(expression, slow) if behavior == "Isolated" else slow

    @property
    def effects(self) -> Effects:
        r"""State that the step cuts, and may drop the matches or the parts between them.

        A tiktoken pattern keeps its matches; those in use match every character, by a last `\s+`.
        """
        at = SplitAt(self.pattern, self.behavior, self.invert, self.rust, self.python)
        covers = self.invert and self.pattern.is_regex and r"\s+" in self.pattern.text
        return Effects(
            loses="drops text" if self.behavior == "Removed" and not covers else "",
            pattern=self.pattern,
            stays_in_alphabet=True,
            cuts_words=True,
            splits=(at,),
            tables=frozenset(classes(self.pattern.text)) if self.pattern.is_regex else frozenset(),
        )


def refuse_unknown(behavior: str) -> None:
    """Raise `SpecError` for an unknown behaviour."""
    if behavior not in BEHAVIORS:
        raise SpecError(f"the behaviour {behavior!r} is unknown", pointer="/pre_tokenizer")


def _isolating(expression: Expression, slow: Cutting) -> Cutting:
    """Return a cutting into matches alone if they cover the text, as published patterns do."""

    def pieces(text: str, first: bool) -> list[str]:
        found = matches(expression, text)
        if not found or found == [text]:  # a short text is mostly left whole
            return [text]
        if all(found) and sum(map(len, found)) == len(text):
            return found
        return slow.pieces(text, first)

    return Cutting(pieces, slow.spans)


def _keeping(expression: Expression, slow: Cutting) -> Cutting:
    """Return a cutting into matches alone; with an empty match the engine's own walk is used."""

    def pieces(text: str, first: bool) -> list[str]:
        found = matches(expression, text)
        return found if all(found) else slow.pieces(text, first)

    return Cutting(pieces, slow.spans)


def matches(expression: Expression, text: str) -> list[str]:
    """The strings of all matches, whatever groups the pattern has."""
    engine = expression.for_text(text)
    if engine.groups:
        return [match.group() for match in engine.finditer(text)]
    return engine.findall(text)  # type: ignore[no-any-return]


def split_at(find: Find, behavior: str, invert: bool = False) -> Cutting:
    """Return a cutting around the spans that `find` yields."""
    join = BEHAVIORS[behavior]
    return cutting(lambda text: join(parts(find(text), len(text), invert)))


def parts(found: Iterable[Span], length: int, invert: bool = False) -> list[Part]:
    """List delimiters, even empty ones, and the parts between; `invert` exchanges the two.

    >>> parts([(1, 2)], 3)
    [(0, 1, False), (1, 2, True), (2, 3, False)]
    """
    cut: list[Part] = []
    at = 0
    for start, end in found:
        if start > at:
            cut.append((at, start, invert))
        cut.append((start, end, not invert))
        at = end
    if at < length:
        cut.append((at, length, invert))
    return cut


def removed(parts: list[Part]) -> list[Span]:
    """Drop the delimiters.

    >>> removed(parts([(1, 2)], 3))
    [(0, 1), (2, 3)]
    """
    return [(start, end) for start, end, delimiter in parts if not delimiter]


def isolated(parts: list[Part]) -> list[Span]:
    """Keep delimiters as pieces of their own."""
    return [(start, end) for start, end, _ in parts]


def merged_with_previous(parts: list[Part]) -> list[Span]:
    """Join each delimiter to the piece before it.

    >>> merged_with_previous(parts([(1, 2), (2, 3)], 4))
    [(0, 2), (2, 3), (3, 4)]
    """
    return _merged(parts, lambda before, delimiter: delimiter and not before)


def merged_with_next(parts: list[Part]) -> list[Span]:
    """Join each delimiter to the piece after it.

    >>> merged_with_next(parts([(1, 2), (2, 3)], 4))
    [(0, 1), (1, 2), (2, 4)]
    """
    return _merged(parts, lambda before, delimiter: before and not delimiter)


def contiguous(parts: list[Part]) -> list[Span]:
    """Join neighbouring delimiters, and neighbouring parts between them."""
    return _merged(parts, lambda before, delimiter: before == delimiter)


def _merged(parts: list[Part], together: Callable[[bool, bool], bool]) -> list[Span]:
    """Join neighbours for which `together` of both kinds is true."""
    found: list[Span] = []
    before: bool | None = None
    for start, end, delimiter in parts:
        if before is not None and together(before, delimiter):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
        before = delimiter
    return found


BEHAVIORS: dict[str, Callable[[list[Part]], list[Span]]] = {
    "Removed": removed,
    "Isolated": isolated,
    "MergedWithPrevious": merged_with_previous,
    "MergedWithNext": merged_with_next,
    "Contiguous": contiguous,
}
