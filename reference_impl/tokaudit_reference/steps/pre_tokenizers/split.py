"""Split at the matches of a pattern, with the five behaviours and their inverse.

Source: `Split` and `SplitDelimiterBehavior` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from tokaudit_reference.alignment import Span
from tokaudit_reference.spec import SpecError
from tokaudit_reference.steps.pre_tokenizers.step import Options, Step, cutting
from tokaudit_reference.text.matching import find, find_literal
from tokaudit_reference.text.patterns import Expression, compiled

Part = tuple[int, int, bool]  # [start, end) of the text, and whether it is a delimiter
Find = Callable[[str], Iterable[Span]]


def build(options: Options) -> Step:
    """The step of one Split."""
    behavior = str(options.get("behavior", "Isolated"))
    if behavior not in BEHAVIORS:
        raise SpecError(f"the behaviour {behavior!r} is unknown", pointer="/pre_tokenizer")
    invert = bool(options.get("invert"))
    pattern = options.get("pattern") or {}
    literal = pattern if isinstance(pattern, str) else pattern.get("String")
    if literal is not None:
        return split_at(partial(find_literal, literal), behavior, invert)
    dialects = {name: bool(options.get(name)) for name in ("rust", "python")}
    expression = compiled(str(pattern.get("Regex", "")), **dialects)
    slow = split_at(partial(find, expression), behavior, invert)
    if behavior == "Removed" and invert:
        return Step(lambda text, first: matches(expression, text), slow.spans)
    if behavior == "Isolated":
        return _isolating(expression, slow)
    return slow


def _isolating(expression: Expression, slow: Step) -> Step:
    """Where the matches cover the whole text, as those of published patterns do, they are all."""

    def pieces(text: str, first: bool) -> list[str]:
        found = matches(expression, text)
        if not found:
            return [text]
        if sum(map(len, found)) == len(text):
            return found
        return slow.pieces(text, first)

    return Step(pieces, slow.spans)


def matches(expression: Expression, text: str) -> list[str]:
    """The strings of all matches, whatever groups the pattern has."""
    engine = expression.for_text(text)
    if engine.groups:
        return [match.group() for match in engine.finditer(text)]
    return engine.findall(text)  # type: ignore[no-any-return]


def split_at(find: Find, behavior: str, invert: bool = False) -> Step:
    """The step that cuts around what is found."""
    join = BEHAVIORS[behavior]
    return cutting(lambda text: join(parts(find(text), len(text), invert)))


def parts(found: Iterable[Span], length: int, invert: bool = False) -> list[Part]:
    """Delimiters, empty ones too, and what lies between; inverted, the two change places.

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
    """Delimiters are dropped.

    >>> removed(parts([(1, 2)], 3))
    [(0, 1), (2, 3)]
    """
    return [(start, end) for start, end, delimiter in parts if not delimiter]


def isolated(parts: list[Part]) -> list[Span]:
    """Delimiters are pieces of their own."""
    return [(start, end) for start, end, _ in parts]


def merged_with_previous(parts: list[Part]) -> list[Span]:
    """A delimiter ends the piece before it.

    >>> merged_with_previous(parts([(1, 2), (2, 3)], 4))
    [(0, 2), (2, 3), (3, 4)]
    """
    return _merged(parts, lambda before, delimiter: delimiter and not before)


def merged_with_next(parts: list[Part]) -> list[Span]:
    """A delimiter begins the piece after it.

    >>> merged_with_next(parts([(1, 2), (2, 3)], 4))
    [(0, 1), (1, 2), (2, 4)]
    """
    return _merged(parts, lambda before, delimiter: before and not delimiter)


def contiguous(parts: list[Part]) -> list[Span]:
    """Neighbouring delimiters are one piece, and so is what lies between."""
    return _merged(parts, lambda before, delimiter: before == delimiter)


def _merged(parts: list[Part], together: Callable[[bool, bool], bool]) -> list[Span]:
    """Neighbours that belong together, by what the one before is and what the next is, as one."""
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


BUILDERS = {"Split": build}
