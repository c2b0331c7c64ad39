"""A step of normalization: what it makes of a text, and which characters of it came from which.

`apply` is the quick way from text to text; `edits` says the same as edits, so that offsets can
follow.  A property test holds them equal for every normalizer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit_reference.alignment import AlignedText, Edit, edit

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One normalizer, stated twice."""

    apply: Callable[[str], str]
    edits: Callable[[str], list[Edit]]

    def aligned(self, text: AlignedText) -> AlignedText:
        """The normalized text, knowing where its characters came from."""
        return text.edited(self.edits(text.text))


def character_wise(of: Callable[[str], str], apply: Callable[[str], str] | None = None) -> Step:
    """The step that takes each character by itself; `apply` may be a quicker way to the same.

    >>> step = character_wise({"a": "", "b": "bb"}.__getitem__)
    >>> step.apply("ab"), [(e.start, e.end, e.replacement) for e in step.edits("ab")]
    ('bb', [(0, 1, ''), (1, 2, 'bb')])
    """

    def edits(text: str) -> list[Edit]:
        changed = ((at, character, of(character)) for at, character in enumerate(text))
        return [edit(at, at + 1, new) for at, character, new in changed if new != character]

    return Step(apply or (lambda text: "".join(map(of, text))), edits)


def in_order(steps: list[Step]) -> Step:
    """Several steps as one; their edits are told as one, from the first text to the last."""

    def apply(text: str) -> str:
        for step in steps:
            text = step.apply(text)
        return text

    def edits(text: str) -> list[Edit]:
        current = AlignedText.of(text)
        for step in steps:
            current = step.aligned(current)
        return [Edit(0, len(text), current.text, current.spans)]

    return Step(apply, edits)
