"""Finds what a version of transformers refuses in a folder, emulated from its recorded answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokaudit.subject.effective.class_choice import TOKENIZER, ClassChoice, class_choice
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.tokenizer_file import chosen_tokenizer_file
from tokaudit.subject.effective.value_forms import forms_of
from tokaudit.subject.material import Subject
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.refusals import class_names_of, refused_forms
from tokaudit.subject.upstream.tokenizer_class import class_named

SIDES = {"padding_side": ("left", "right"), "truncation_side": ("left", "right")}
"""The values of a form that is refused otherwise."""
CLASS = "tokenizer_class"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error that a version raises, in its own words, and the value that causes it."""

    says: str
    file: str
    pointer: str
    value: Any
    key: str
    encoding: bool = False  # it loads, and raises once a text is encoded


def refusals(subject: Subject, version: str) -> tuple[Refusal, ...]:
    """Everything that a version refuses; it raises the first that it comes to."""
    if (named := _no_name(subject, version)) is not None:
        return (named,)
    choice = class_choice(subject, version)
    if choice is None:
        return ()
    if choice.refused:
        return (Refusal(choice.refused, choice.file, choice.pointer, choice.value, CLASS),)
    return tuple(_of_settings(subject, version, choice))


def _no_name(subject: Subject, version: str) -> Refusal | None:
    """Return the error for a class that is named by something else than a text."""
    file, value = settings_file(subject, TOKENIZER), settings_object(subject, TOKENIZER).get(CLASS)
    if file is None or value is None or isinstance(value, str):
        return None
    forms = forms_of(value)
    rows = (row for row in refused_forms(version) if CLASS in row.keys)
    says = next((row.says for row in rows if not forms.isdisjoint(row.forms)), "")
    return Refusal(says, file.name, pointer(CLASS), value, CLASS) if says else None


def _of_settings(subject: Subject, version: str, choice: ClassChoice) -> Iterator[Refusal]:
    """The keys of tokenizer_config.json that the class does not take as they are."""
    file, stated = settings_file(subject, TOKENIZER), settings_object(subject, TOKENIZER)
    if file is None:
        return
    has_json = chosen_tokenizer_file(subject, version, stated) is not None
    known, names = class_named(choice.name), class_names_of(version)
    bases = {each.base for each in subject.files}
    has_own = known is not None and not bases.isdisjoint(known.files)
    rows = [
        row
        for row in refused_forms(version)
        if row.is_of(choice.name, choice.is_fast, has_json, has_own)
    ]
    for key, value in stated.items():
        place = pointer(key)
        if key in names.methods:
            says = f"AttributeError: {key} conflicts with the method {key} in {choice.name}"
            yield Refusal(says, file.name, place, value, key)
            continue
        if value in SIDES.get(key, ()):
            continue
        forms = forms_of(value)
        for row in rows:
            if key in row.keys and not forms.isdisjoint(row.forms):
                says = row.says.replace("{key}", key).replace("{class}", choice.name)
                yield Refusal(says, file.name, place, value, key, row.encoding)
                break
