"""Convert training settings to a recipe; refuse invalid combinations."""

from __future__ import annotations

import os
from dataclasses import replace

from tokaudit.foundation.errors import UsageError
from tokaudit.products.train.recipe import (
    BYTES,
    Recipe,
    refuse_small,
    roles_of,
    special_tokens,
    split_patterns,
    tie_break,
)
from tokaudit.products.train.settings import (
    BYTE_ALPHABET,
    CHARACTERS,
    COVERAGE,
    DIGITS,
    PATTERN,
    ModelKind,
    TrainSettings,
)


def recipe_of(vocab_size: int, asked: TrainSettings) -> Recipe:
    """Convert settings to a recipe; raise `UsageError` for an invalid combination."""
    model = ModelKind(asked.model)
    _refuse_foreign(asked, model)
    _refuse_with_alphabet(asked)
    stated = dict(asked.roles or {})
    free = [f"<|reserved_{number}|>" for number in range(asked.reserved or 0)]
    special = [*special_tokens(model, asked.special, stated)]
    special += [token for token in free if token not in special]  # after all that have a name
    bpe = model is ModelKind.BPE
    in_bytes = bpe and asked.alphabet != CHARACTERS
    recipe = Recipe(
        model=model,
        vocab_size=rounded_up(vocab_size, asked.multiple or 1),
        patterns=split_patterns(asked.pattern or PATTERN) if in_bytes else (),
        tie_break=tie_break(asked.tie_break) if bpe else "",
        special=tuple(special),
        roles=roles_of(special, stated),
        min_frequency=asked.min_frequency or 1,
        jobs=asked.jobs,
        resume=os.fspath(asked.resume or ""),
        ray=asked.ray or "",
        alphabet=(asked.alphabet or BYTE_ALPHABET) if bpe else "",
        coverage=COVERAGE if asked.coverage is None else asked.coverage,
        digits=(DIGITS[asked.digits],) if asked.digits else (),
        readable=asked.readable,
    )
    refuse_small(recipe, BYTES if bpe else 1, f"the {BYTES} bytes" if bpe else "one character")
    return recipe


def resolved(asked: TrainSettings, recipe: Recipe) -> TrainSettings:
    """Return the settings with defaults filled in."""
    return replace(
        asked,
        pattern=asked.pattern or (PATTERN if recipe.patterns else None),
        tie_break=recipe.tie_break or None,
        alphabet=recipe.alphabet or None,
        coverage=recipe.coverage if recipe.alphabet == CHARACTERS else asked.coverage,
    )


def rounded_up(size: int, multiple: int) -> int:
    """Round a size up to the next multiple.

    >>> rounded_up(50257, 64), rounded_up(64, 64)
    (50304, 64)
    """
    return -(-size // multiple) * multiple


def _refuse_foreign(asked: TrainSettings, model: ModelKind) -> None:
    """Refuse settings that the model would ignore."""
    foreign = {
        ModelKind.BPE: (),
        ModelKind.WORDPIECE: ("pattern", "tie_break", "alphabet", "digits"),
        ModelKind.UNIGRAM: ("pattern", "tie_break", "alphabet", "min_frequency"),
    }
    for name in foreign[model]:
        if getattr(asked, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} has no meaning for --model {model}")


def _refuse_with_alphabet(asked: TrainSettings) -> None:
    """Refuse settings that do not apply to the chosen BPE alphabet."""
    if asked.alphabet == CHARACTERS:
        if asked.pattern is not None:
            raise UsageError("--pattern has no meaning for --alphabet=characters")
    elif asked.coverage is not None:
        raise UsageError("--coverage works only with --alphabet=characters")
