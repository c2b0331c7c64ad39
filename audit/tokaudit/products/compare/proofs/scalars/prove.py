"""Prove two normalizers equal if they change each character independently.

A text is its characters one after another.  Where a step makes of a text what it makes of each
character, one after another (its `Effects` say so), that is true of several such steps in order
too.  So two rows of such steps that make the same of each of the 1,112,064 scalar values make the
same of every text.  Steps that both sides have at the beginning or at the end are left out first:
what is equal between equal steps is equal as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from tokaudit.engine.canonical_steps import acting_steps, without_shared
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers import Normalizer
from tokaudit_reference.steps.normalizers.step import NormalizerStep
from tokaudit_reference.steps.step import Step

SURROGATES = range(0xD800, 0xE000)
BLOCK = 0x800  # code points; the surrogates are one block
BETWEEN = "\u16a0"  # a rune, which no table of Unicode makes of anything else


def alike_on_characters(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether the differing steps are character-wise and equal on every character.

    >>> from tokaudit_reference.spec import Component, ModelType
    >>> def spec(content):
    ...     step = {"type": "Replace", "pattern": {"String": "a"}, "content": content}
    ...     return TokenizerSpec(ModelType.BPE, {}, normalizer=Component(step))
    >>> alike_on_characters(spec("a"), TokenizerSpec(ModelType.BPE, {}))
    True
    >>> alike_on_characters(spec("b"), TokenizerSpec(ModelType.BPE, {}))
    False
    """
    whole = acting_steps(first, "normalizer"), acting_steps(second, "normalizer")
    return any(_alike(*rows) for rows in (without_shared(*whole), whole))


def _alike(ours: Sequence[Step], theirs: Sequence[Step]) -> bool:
    if not all(step.effects.character_wise for step in (*ours, *theirs)):
        return False
    one, other = _applied(ours), _applied(theirs)
    return all(_on_each(one, block) == _on_each(other, block) for block in _blocks())


def _on_each(of: Callable[[str], str], block: str) -> list[str]:
    """Apply a function to each character of a block.

    One text of all with a mark between them costs much less than as many texts.  It is taken apart
    again at the marks, which says what became of each where the mark stays and nothing else brings
    one: then there are as many as were put in.
    """
    found = of(BETWEEN.join(block)).split(BETWEEN)
    if of(BETWEEN) == BETWEEN and len(found) == len(block):
        return found
    return list(map(of, block))


def _applied(steps: Sequence[Step]) -> Callable[[str], str]:
    return Normalizer([cast(NormalizerStep, step).build() for step in steps])


def _blocks() -> Iterator[str]:
    """Yield every scalar value once, including the separator."""
    for start in range(0, 0x110000, BLOCK):
        codes = range(start, start + BLOCK)
        if start not in SURROGATES:
            yield "".join(map(chr, codes))
