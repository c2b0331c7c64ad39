"""Texts that a settings file pairs with ids, at any depth.

A pair is an entry of a map such as `lang_to_id`, an entry of a map from ids to tokens, or a key
such as `image_token` with `image_token_id` next to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Place
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.setting_key import forms_of_tokens, of_other_vocabularies
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_roles import ROLES, content_of

DEEPEST = 4  # objects in objects; configs of models of several parts have three
ID, INDEX = "_id", "_index"
MODEL = "config.json"
NAMING = ("tokenizer_config.json", "processor_config.json", "preprocessor_config.json")
BY_ROLE = frozenset(f"{role}_token" for role in ROLES)  # special_tokens/role-ids compares these


@dataclass(frozen=True, slots=True)
class TextWithId:
    """A text with its id in a file; `group` is the map or key that holds both."""

    text: str
    id: int
    group: str
    place: Place
    form: str = "{}"
    listed: bool = False  # by a map that is known to name tokens alone

    @property
    def token(self) -> str:
        """Return the token that stands for the text."""
        return self.form.format(self.text)


def pairs_of(stated: StatedKey) -> Iterator[TextWithId]:
    """Yield the pairs below one key of a file."""
    yield from _below(stated, pointer(stated.key), stated.key, stated.value, 0)


def adjacent_ids(keys: Mapping[str, Any], file: str, above: str = "") -> Iterator[TextWithId]:
    """Yield the keys of an object that name a token and have its id next to them."""
    for key, value in keys.items():
        id, text = keys.get(key + ID), content_of(value)
        if _names_a_place(key) and text and type(id) is int:
            place = Place("config", file, above + pointer(key + ID), id)
            yield TextWithId(text, id, key + ID, place)


def across(keys: Sequence[StatedKey]) -> Iterator[TextWithId]:
    """Yield keys that name a token in one file, with the id in the model's config."""
    ids = {key.key: key for key in keys if key.base == MODEL and _is_id(key.value)}
    for key in keys:
        text = content_of(key.value)
        if key.base not in NAMING or not text or not _names_a_place(key.key):
            continue
        for at in (key.key + ID, key.key + INDEX):
            if (id := ids.get(at)) is not None:
                yield TextWithId(text, id.value, f"{at} of {id.file} for {key.key}", key.place())


def _names_a_place(key: str) -> bool:
    return key.endswith("_token") and key not in BY_ROLE


def _below(
    stated: StatedKey, above: str, group: str, value: Any, depth: int
) -> Iterator[TextWithId]:
    if not isinstance(value, dict) or depth > DEEPEST or group in of_other_vocabularies():
        return
    yield from adjacent_ids(value, stated.file, above)
    form = forms_of_tokens().get(group)
    for key, entry in value.items():
        place = Place("config", stated.file, above + pointer(key), entry)
        if _is_id(entry):
            yield TextWithId(key, entry, group, place, form or "{}", listed=form is not None)
        elif (text := content_of(entry)) and key.isdecimal() and len(key) < 12:
            yield TextWithId(text, int(key), group, place)
        else:
            yield from _below(stated, place.pointer, key, entry, depth + 1)


def _is_id(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
