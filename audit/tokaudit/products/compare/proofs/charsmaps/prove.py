"""Prove two normalizers equal if their character maps have equal entries."""

from __future__ import annotations

from typing import Any

from tokaudit.engine.canonical_steps import acting_steps, without_shared
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.steps.normalizers.precompiled import charsmap
from tokaudit_reference.steps.step import Step

FIRST = [chr(code) for code in range(1, 0x3000)]


def alike_by_charsmaps(first: TokenizerSpec, second: TokenizerSpec) -> bool:
    """Return whether the differing steps differ only in the packing of their maps.

    Such a step asks its map for nothing but keys and what they stand for, whichever way it walks.
    """
    ours, theirs = without_shared(
        acting_steps(first, "normalizer"), acting_steps(second, "normalizer")
    )
    return len(ours) == len(theirs) and all(map(_same_but_packed, ours, theirs))


def _same_but_packed(one: Step, other: Step) -> bool:
    maps = one.effects.charsmap, other.effects.charsmap
    if not all(maps) or _apart_from_the_map(one) != _apart_from_the_map(other):
        return False
    try:
        ours, theirs = map(charsmap, maps)
        if ours is None or theirs is None or any(ours.first(c) != theirs.first(c) for c in FIRST):
            return False  # soon, where a map is another one
        return ours.entries() == theirs.entries()
    except SpecError:
        return False


def _apart_from_the_map(step: Step) -> dict[str, Any]:
    return {name: value for name, value in step.to_json().items() if value != step.effects.charsmap}
