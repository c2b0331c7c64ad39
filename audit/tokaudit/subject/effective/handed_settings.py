"""Merge the settings that a transformers version passes to a class, with their files.

`special_tokens_map.json` goes over `tokenizer_config.json`, unless that has a table of added
tokens.  Version 5 has one list of extra tokens; version 4 has two, and names for others.

Source: `_from_pretrained` of 4.57.6 and 5.24.0, tokenization_utils_base.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.subject.effective.class_choice import TOKENIZER
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.value_forms import CONTENT, TEXT, TOKEN, forms_of
from tokaudit.subject.formats.common.implied import stated_in
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.pipeline import null_turns_off
from tokaudit.subject.upstream.precedence import first_of
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass
from tokaudit.subject.upstream.versions import FOUR

MAP, ADDED, TABLE = "special_tokens_map.json", "added_tokens.json", "added_tokens_decoder"
NAMED = "_token"
LISTED, EXTRA = "additional_special_tokens", "extra_special_tokens"
Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HandedSetting:
    """A value, the file that states it, and its form as passed to the class."""

    value: Any
    file: str
    forms: frozenset[str]


def handed_settings(subject: Subject) -> Mapping[str, HandedSetting]:
    """Return the values of both files by key, before a version merges its lists."""
    found: dict[str, HandedSetting] = {}
    for base in reversed(first_of("setting")):
        if (file := settings_file(subject, base)) is None:
            continue
        stated = _legacy(subject) if base == MAP else settings_object(subject, base)
        for key, value in stated.items():
            is_token = base == MAP and isinstance(value, dict)
            forms = frozenset((TOKEN,)) if is_token else forms_of(value)
            found[key] = HandedSetting(value, file.name, forms)
    return found


def stated_to_five(subject: Subject, known: TokenizerClass) -> Callable[[str], Any]:
    """Return a function that looks up settings as version 5 passes them to a class."""
    stated, handed = stated_in(subject), handed_settings(subject)

    def given(key: str) -> Any:
        is_null = key in handed and handed[key].value is None
        return False if is_null and null_turns_off(known, key) else stated(key)

    return given


def extra_tokens(subject: Subject, version: str) -> Iterator[str]:
    """Yield the tokens that a version adds: from lists, tables and names other than roles."""
    stated, legacy = {**settings_object(subject, TOKENIZER)}, _legacy(subject)
    lists = _of_four(stated, legacy) if version == FOUR else _of_five(stated, legacy)
    named = {} if version == FOUR else _named(stated | legacy)
    for value in (*lists, named, stated.get(TABLE)):
        yield from _texts(value)
    if TABLE not in stated:
        yield from settings_object(subject, ADDED)


def _named(stated: Settings) -> Settings:
    """Return the tokens under names other than roles, such as `image_token`."""
    return {
        key: value
        for key, value in stated.items()
        if key.endswith(NAMED) and forms_of(value) <= {TEXT, TOKEN}
    }


def _legacy(subject: Subject) -> dict[str, Any]:
    has_table = TABLE in settings_object(subject, TOKENIZER)
    return {} if has_table else {**settings_object(subject, MAP)}


def _of_four(stated: Settings, legacy: Settings) -> Iterator[Any]:
    """Yield both files' lists joined, unless the map has another form; and by name."""
    joined = isinstance(legacy.get(LISTED, []), list)
    yield from (stated.get(LISTED) if joined else None, legacy.get(LISTED), stated.get(EXTRA))


def _of_five(stated: Settings, legacy: Settings) -> Iterator[Any]:
    """Yield one list: the listed tokens, unless extra tokens exist already."""
    listed, extra, has_extra = stated.get(LISTED), stated.get(EXTRA), EXTRA in stated
    if LISTED in stated and not extra:
        listed, extra, has_extra = None, listed, True
    if isinstance(extra, dict):
        yield extra
        extra, has_extra = None, False
    if EXTRA in legacy:
        merges = isinstance(legacy[EXTRA], list)
        yield legacy[EXTRA] if merges else None
        extra, has_extra = extra if merges else None, True
    yield extra if has_extra else legacy.get(LISTED, listed)


def _texts(value: Any) -> Iterator[str]:
    members = value.values() if isinstance(value, dict) else value
    for each in members if isinstance(members, list) or isinstance(value, dict) else ():
        text = each.get(CONTENT) if isinstance(each, dict) else each
        if isinstance(text, str) and text:
            yield text
