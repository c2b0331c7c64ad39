"""A step of pre-tokenization: it may edit a text first, and then cuts it into spans.

`pieces` is the quick way to the strings alone; `edits` and `spans` say the same with places.  A
property test holds them equal for every pre-tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit_reference.alignment import Edit, Span

Options = Mapping[str, Any]


def no_edits(text: str, first: bool) -> list[Edit]:
    """The edits of a step that only cuts."""
    return []


@dataclass(frozen=True, slots=True)
class Step:
    """One pre-tokenizer; `first` is whether the text begins where the original does."""

    pieces: Callable[[str, bool], list[str]]
    spans: Callable[[str], list[Span]]
    edits: Callable[[str, bool], list[Edit]] = no_edits


def cutting(spans: Callable[[str], list[Span]]) -> Step:
    """The step that only cuts.

    >>> cutting(lambda text: [(0, 1), (1, len(text))]).pieces("abc", True)
    ['a', 'bc']
    """
    return Step(lambda text, first: [text[start:end] for start, end in spans(text)], spans)


def whole(text: str) -> list[Span]:
    """The spans of a step that cuts nothing."""
    return [(0, len(text))]
