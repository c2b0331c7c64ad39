"""A pre-tokenizer step, and how one cuts a text.

A `Cutting` may edit a text first, and then cuts it into spans.  `pieces` is the quick way to the
strings alone; `edits` and `spans` say the same with places.  A property test holds them equal for
every pre-tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tokaudit_reference.steps.step import Step
from tokaudit_reference.text.alignment import Edit, Span


def no_edits(text: str, first: bool) -> list[Edit]:
    """The edits where a text is only cut."""
    return []


@dataclass(frozen=True, slots=True)
class Cutting:
    """The cutting of texts by a pre-tokenizer; `first` is whether it begins the original text."""

    pieces: Callable[[str, bool], list[str]]
    spans: Callable[[str], list[Span]]
    edits: Callable[[str, bool], list[Edit]] = no_edits


class PreTokenizerStep(Step):
    """The base of every pre-tokenizer."""

    def build(self) -> Cutting:
        """Return its cutting of texts, made once for a pipeline."""
        raise NotImplementedError


def cutting(spans: Callable[[str], list[Span]]) -> Cutting:
    """The cutting of a text that is not edited.

    >>> cutting(lambda text: [(0, 1), (1, len(text))]).pieces("abc", True)
    ['a', 'bc']
    """
    return Cutting(lambda text, first: [text[start:end] for start, end in spans(text)], spans)


def whole(text: str) -> list[Span]:
    """The spans of a cutting that cuts nothing."""
    return [(0, len(text))]
