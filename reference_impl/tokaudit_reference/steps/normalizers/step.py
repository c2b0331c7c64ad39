"""A normalizer step, and how one rewrites a text.

A `Rewriting` says what becomes of a text, and which characters of it came from which.  `apply` is
the quick way from text to text; `edits` says the same as edits, so that offsets can follow.  A
property test holds them equal for every normalizer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tokaudit_reference.steps.step import Step
from tokaudit_reference.text.alignment import AlignedText, Edit, edit


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The rewriting of texts by one normalizer, stated twice."""

    apply: Callable[[str], str]
    edits: Callable[[str], list[Edit]]

    def aligned(self, text: AlignedText) -> AlignedText:
        """Return the normalized text, with the origin of each character."""
        return text.edited(self.edits(text.text))


class NormalizerStep(Step):
    """The base of every normalizer."""

    def build(self) -> Rewriting:
        """Return its rewriting of texts, made once for a pipeline."""
        raise NotImplementedError


def character_wise(
    of: Callable[[str], str], apply: Callable[[str], str] | None = None
) -> Rewriting:
    """Return a rewriting of single characters; `apply` may be a quicker way to the same.

    >>> step = character_wise({"a": "", "b": "bb"}.__getitem__)
    >>> step.apply("ab"), [(e.start, e.end, e.replacement) for e in step.edits("ab")]
    ('bb', [(0, 1, ''), (1, 2, 'bb')])
    """

    def edits(text: str) -> list[Edit]:
        changed = ((at, character, of(character)) for at, character in enumerate(text))
        return [edit(at, at + 1, new) for at, character, new in changed if new != character]

    return Rewriting(apply or (lambda text: "".join(map(of, text))), edits)


def in_order(steps: list[Rewriting]) -> Rewriting:
    """Chain several rewritings; their edits are joined, from the first text to the last."""

    def apply(text: str) -> str:
        for step in steps:
            text = step.apply(text)
        return text

    def edits(text: str) -> list[Edit]:
        current = AlignedText.of(text)
        for step in steps:
            current = step.aligned(current)
        return [Edit(0, len(text), current.text, current.spans)]

    return Rewriting(apply, edits)
