"""Split at the matches of a pattern, with the five behaviours and their inverse.

Source: `Split` and `SplitDelimiterBehavior` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tokaudit_reference.patterns import compiled
from tokaudit_reference.spec import SpecError

Part = tuple[str, bool]  # a piece of the text, and whether it is a delimiter


def build(options: Mapping[str, Any]) -> Callable[[str, bool], list[str]]:
    """The function of one Split."""
    behavior = str(options.get("behavior", "Isolated"))
    if behavior not in BEHAVIORS:
        raise SpecError(f"the behaviour {behavior!r} is unknown", pointer="/pre_tokenizer")
    join, invert = BEHAVIORS[behavior], bool(options.get("invert"))
    parts = parts_of(options.get("pattern") or {}, rust=bool(options.get("rust")))

    def apply(text: str, first: bool) -> list[str]:
        return join([(part, match != invert) for part, match in parts(text)])

    return apply


def parts_of(pattern: Any, *, rust: bool = False) -> Callable[[str], Iterator[Part]]:
    """Cuts a text into matches of a pattern and what lies between."""
    literal = pattern if isinstance(pattern, str) else pattern.get("String")
    if literal is not None:
        return lambda text: _literal_parts(text, literal)
    expression = compiled(str(pattern.get("Regex", "")), rust=rust)
    return lambda text: _parts(text, (m.span() for m in expression.finditer(text)))


def _literal_parts(text: str, literal: str) -> Iterator[Part]:
    spans, at = [], text.find(literal) if literal else -1
    while at >= 0:
        spans.append((at, at + len(literal)))
        at = text.find(literal, at + len(literal))
    return _parts(text, iter(spans))


def _parts(text: str, spans: Iterator[tuple[int, int]]) -> Iterator[Part]:
    at = 0
    for start, end in spans:
        if start > at:
            yield text[at:start], False
        if end > start:
            yield text[start:end], True
        at = end
    if at < len(text):
        yield text[at:], False


def removed(parts: list[Part]) -> list[str]:
    """Delimiters are dropped.

    >>> removed([("a", False), (" ", True), ("b", False)])
    ['a', 'b']
    """
    return [text for text, delimiter in parts if not delimiter]


def isolated(parts: list[Part]) -> list[str]:
    """Delimiters are pieces of their own."""
    return [text for text, _ in parts]


def merged_with_previous(parts: list[Part]) -> list[str]:
    """A delimiter ends the piece before it.

    >>> merged_with_previous([("a", False), ("-", True), ("-", True), ("b", False)])
    ['a-', '-', 'b']
    """
    found: list[str] = []
    open_ = False
    for text, delimiter in parts:
        if delimiter and open_:
            found[-1] += text
        else:
            found.append(text)
        open_ = not delimiter
    return found


def merged_with_next(parts: list[Part]) -> list[str]:
    """A delimiter begins the piece after it.

    >>> merged_with_next([("a", False), ("-", True), ("-", True), ("b", False)])
    ['a', '-', '-b']
    """
    found: list[str] = []
    open_ = False
    for text, delimiter in reversed(parts):
        if delimiter and open_:
            found[-1] = text + found[-1]
        else:
            found.append(text)
        open_ = not delimiter
    return found[::-1]


def contiguous(parts: list[Part]) -> list[str]:
    """Neighbouring delimiters are one piece, and so is what lies between."""
    found: list[str] = []
    last: bool | None = None
    for text, delimiter in parts:
        if delimiter == last:
            found[-1] += text
        else:
            found.append(text)
        last = delimiter
    return found


BEHAVIORS = {
    "Removed": removed,
    "Isolated": isolated,
    "MergedWithPrevious": merged_with_previous,
    "MergedWithNext": merged_with_next,
    "Contiguous": contiguous,
}
