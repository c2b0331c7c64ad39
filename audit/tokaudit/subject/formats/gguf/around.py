"""Special tokens that llama.cpp adds around a text, by a GGUF file's flags and ids.

The flags may be absent: then each kind of model has its own habit, and the component says that it
is implied.  A flag that asks for a token of which nobody says the id leaves the component unstated.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokaudit.subject.formats.gguf.keys import PREFIX, ROLE_KEYS, Keys
from tokaudit.subject.upstream.llama_cpp.gguf_models import GgufModel
from tokaudit_reference.spec import UNSTATED, Component, Standing
from tokaudit_reference.steps.post_processors.template_processing import (
    A,
    Piece,
    TemplateProcessing,
)
from tokaudit_reference.steps.step import Added

BEGIN, END = ("add_bos_token", ROLE_KEYS["bos"]), ("add_eos_token", ROLE_KEYS["eos"])
Flag = tuple[str, str]  # the keys that say whether a token is added, and which


def around(
    keys: Keys, known: GgufModel, ids: tuple[int | None, int | None] = (None, None)
) -> Component:
    """Return the tokens around a text; defaults and `ids` apply without a key."""
    placed = [
        _added(keys, flag, by_habit, always, id)
        for flag, by_habit, always, id in zip(
            (BEGIN, END), known.around, (known.bos_always, False), ids, strict=True
        )
    ]
    if any(ids == [None] for ids in placed):
        return UNSTATED
    before, after = ([id for id in ids if id is not None] for ids in placed)
    said = [PREFIX + flag for flag, _ in (BEGIN, END) if flag in keys]
    if said:
        return template(keys, before, after, Standing.STATED, f"by {' and '.join(said)}")
    rule = f"llama.cpp does so for the model {keys.text('model')}"
    return template(keys, before, after, Standing.IMPLIED, rule)


def template(
    keys: Keys, before: Sequence[int], after: Sequence[int], standing: Standing, rule: str
) -> Component:
    """Build the post-processor that adds tokens before and after one text."""
    if not before and not after:
        return Component(None, standing, rule)
    special = {keys.tokens[id]: Added.one(keys.tokens[id], id) for id in (*before, *after)}
    single = (*_named(keys, before), A, *_named(keys, after))
    step = TemplateProcessing(single, special_tokens=tuple(special.values()))
    return Component(step.to_json(), standing, rule)


def _added(
    keys: Keys, flag: Flag, habit: bool, always: bool, default: int | None
) -> list[int | None]:
    """Return the added token, None in place of an unknown id; empty if there is none."""
    which, role = flag
    return [keys.id(role, default)] if keys.flag(which, habit) or always else []


def _named(keys: Keys, ids: Sequence[int]) -> list[Piece]:
    return [Piece(keys.tokens[id]) for id in ids]
