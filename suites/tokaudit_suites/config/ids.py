"""Ids in settings that no token has, or that belong to another token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, Repair, Severity, check
from tokaudit.subject.upstream.setting_key import SettingKey, compared_by
from tokaudit_suites.config._compared_keys import ComparedKeys, RuleContext
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_roles import ids_in
from tokaudit_suites.shared.vocab_entries import id_of, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import quote


@check(
    "config/ids",
    title="Ids in settings belong to the right tokens",
    why="A model looks for some ids of its config in the input, such as the image token's id, and "
    "blocks other ids in its answers. If a config names an id beyond the vocabulary, the model "
    "stops with an error. If a config names an ordinary token's id as the image token, the model "
    "puts an image wherever this token occurs in text.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    repair=person_decides("which token the model looks for is not in the files"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="A model whose id for a picture is another than its processor writes ends with 'Image"
    " features and image tokens do not match' (transformers, "
    "models/llava/modeling_llava.py).",
)
def ids(compared: ComparedKeys) -> Iterator[Finding]:
    """Look up each id; an id for images, audio or turns has to be a marker's."""
    keys = compared_by("config/ids")
    for stated in compared.of("config/ids"):
        key = keys[stated.base, stated.key]
        if key.marker:
            yield from a_marker(compared.context, stated, key)
        else:
            yield from ids_in_range(compared.context, stated)


def ids_in_range(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report ids outside of the vocabulary; negative ids are never looked up."""
    size = max([context.spec.size(), *_sizes(context)])
    wrong = [id for id in _all_ids(stated.value) if id >= size]
    if wrong:
        message = (
            f"{stated.key} in {stated.file} has the id {wrong[0]}, but the model's ids go from 0 "
            f"to {size - 1}."
        )
        yield stated.reported(Severity.ERROR, message, _without(stated, size))


def a_marker(context: RuleContext, stated: StatedKey, key: SettingKey) -> Iterator[Finding]:
    """Report an image or audio id that is no marker, or a marker of another kind."""
    yield from ids_in_range(context, stated)
    kind = stated.key.partition("_")[0]
    spec = context.spec
    for id in ids_in(stated.value)[:1]:
        token = name_of(spec, id)
        if token is None or id < 0:
            continue
        text = token.decode(errors="replace") if isinstance(token, bytes) else token
        own = next((f for form in key.written_as if (f := id_of(spec, form)) is not None), None)
        if not (spec.added_at(id) or is_special(spec, id) or looks_like_marker(text)):
            said = "any text may contain this ordinary token"
        elif own not in (None, id) and kind not in text.lower():
            said = f"but {quote(name_of(spec, own or 0) or '')} is id {own}"
        else:
            continue
        message = f"{stated.key} in {stated.file} is {id}, the id of {quote(text)}: {said}."
        wanted = None if own is None or isinstance(stated.value, list) else own
        repair = None if wanted is None else stated.as_it_should_be(wanted)
        yield stated.reported(Severity.ERROR, message, repair)


def _without(stated: StatedKey, size: int) -> Repair | None:
    """Remove the out-of-range ids from a list; a single id needs a person to decide."""
    if not isinstance(stated.value, list) or list(_all_ids(stated.value)) != stated.value:
        return None
    return stated.as_it_should_be([id for id in stated.value if id < size])


def _sizes(context: RuleContext) -> Iterator[int]:
    facts = context.subject.facts_named("vocab_size")
    yield from (fact.value for fact in facts if isinstance(fact.value, int))


def _all_ids(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for item in value:
            yield from _all_ids(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _all_ids(item)
    else:
        yield from ids_in(value)
