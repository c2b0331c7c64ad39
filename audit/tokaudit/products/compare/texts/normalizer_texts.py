"""Texts to run first on two differing lists of normalizer steps.

A step that looks for something acts where it is, so that is written out: a literal as it is, an
expression by the shortest text that it takes, two of them by the shortest that they take apart.
Where a step decomposes or composes, or consults the case of letters, letters are written out with
their marks after them, in both cases: there the order of such steps shows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from tokaudit.engine.canonical_steps import acting_steps, without_shared
from tokaudit.engine.texts.suspects import FORMS
from tokaudit.products.compare.patterns.splits import Split
from tokaudit.products.compare.patterns.verdicts import Differs
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.products.compare.proofs.scalars.prove import SURROGATES
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.step import Step

MOST = 40  # patterns of each side


def texts_for_normalizers(first: TokenizerSpec, second: TokenizerSpec) -> tuple[str, ...]:
    """Return texts that trigger the steps of one side alone.

    >>> from tokaudit_reference.spec import Component, ModelType
    >>> step = {"type": "Replace", "pattern": {"String": "qz"}, "content": "o"}
    >>> replacing = TokenizerSpec(ModelType.BPE, {}, normalizer=Component(step))
    >>> texts_for_normalizers(replacing, TokenizerSpec(ModelType.BPE, {}))
    ('qz', 'aqz', 'qza', 'aqza', 'qzqz', ' qz', 'z', 'q')
    """
    whole = acting_steps(first, "normalizer"), acting_steps(second, "normalizer")
    found = dict.fromkeys(_in_contexts(looked_for(*without_shared(*whole))))
    if any(step.effects.tables & FORMS for steps in whole for step in steps):
        found |= dict.fromkeys(decomposed_letters())
    return tuple(text for text in found if text)


def texts_looked_for(*rows: Sequence[Step]) -> tuple[str, ...]:
    """Return texts that trigger the steps of some lists, whatever others change before."""
    steps = [step for row in rows for step in row]
    found = dict.fromkeys(_in_contexts(looked_for(steps, ())))
    if any(step.effects.tables & FORMS for step in steps):
        found |= dict.fromkeys(decomposed_letters())
    return tuple(text for text in found if text)


def _in_contexts(found: Iterable[str]) -> Iterator[str]:
    """Yield each text alone, next to a letter, doubled, after a space, and in part."""
    for text in found:
        yield from (text, f"a{text}", f"{text}a", f"a{text}a", text * 2, f" {text}")
        yield from (text[1:], text[:-1])


def looked_for(ours: Sequence[Step], theirs: Sequence[Step]) -> Iterator[str]:
    """Yield what the steps of either list match, and where two patterns differ."""
    splits = [[each for step in row if (each := _as_split(step))][:MOST] for row in (ours, theirs)]
    for split in dict.fromkeys((*splits[0], *splits[1])):
        yield from (split.pattern,) if split.literal else _apart(split, None)
    for one, other in product(*splits):
        if not (one.literal and other.literal):
            yield from _apart(one, other)


def _as_split(step: Step) -> Split | None:
    pattern = step.effects.pattern
    if pattern is None or not pattern.text:
        return None
    return Split(pattern.text, behavior="Removed", literal=not pattern.is_regex)


def _apart(one: Split, other: Split | None) -> Iterator[str]:
    """Yield the shortest text that two patterns split differently, or that the first splits."""
    found = compare((one,), () if other is None else (other,))
    if isinstance(found, Differs):
        yield found.text


@cache
def decomposed_letters() -> tuple[str, ...]:
    """Return every letter with marks, decomposed, in lower and in upper case."""
    found: dict[str, None] = {}
    for code in range(0xA0, 0x20000):
        if code in SURROGATES or not unicodedata.decomposition(character := chr(code)):
            continue
        parts = unicodedata.normalize("NFD", character)
        if len(parts) > 1:
            found |= dict.fromkeys((parts, parts.upper(), parts.lower(), parts[::-1]))
    return tuple(found)
