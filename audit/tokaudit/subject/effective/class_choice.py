"""Emulate how a version's `AutoTokenizer` chooses the class for a folder.

Source: `AutoTokenizer.from_pretrained` and `tokenizer_class_from_name` of transformers 4.57.6 and
5.24.0, models/auto/tokenization_auto.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.tokenizer_file import TOKENIZER_JSON, has_text
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.model_type import KnownModelType, known_type
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.upstream.precedence import first_of
from tokaudit.subject.upstream.refusals import ClassNames, class_names_of
from tokaudit.subject.upstream.tokenizer_class import (
    AS_FILE,
    AS_STATED,
    LEAVES_BYTES_TO_FILE,
    NO_CLASS_OF_ITS_OWN,
    class_named,
)
from tokaudit.subject.upstream.versions import ABSENT, FIVE, FOUR

TOKENIZER, MODEL, KEY = "tokenizer_config.json", "config.json", "tokenizer_class"
FAST = "Fast"
NO_SUCH_CLASS = "AttributeError: 'NoneType' object has no attribute 'from_pretrained'"
"""The error of version 5 for a class that config.json alone names, and it does not have."""
BYTE_LEVEL = re.compile(rb'"ByteLevel"')


@dataclass(frozen=True, slots=True)
class ClassChoice:
    """The class that a version chooses, whether it is a fast one, and the deciding statement.

    `refused` is what the version raises where it has no such class, `passes_over` the class that
    it would take but for the bytes of tokenizer.json.
    """

    name: str
    is_fast: bool
    file: str
    pointer: str
    value: Any
    refused: str = ""
    passes_over: str = ""


def class_choice(subject: Subject, version: str) -> ClassChoice | None:
    """Return a version's class; None if own code decides, or no file names a class."""
    if own_class(subject):
        return None
    named = (_stated(subject, base, version) for base in first_of("class"))
    found = next((each for each in named if each is not None), None)
    kind = settings_object(subject, MODEL).get("model_type")
    known = known_type(kind) if isinstance(kind, str) else None
    if version == FOUR:
        return _four(found) if found is not None else _of_type(subject, known, kind, 0)
    return _five(subject, found, known, kind)


def loaded_as_it_is(subject: Subject) -> bool:
    """Return whether both versions load tokenizer.json unchanged for the named class."""
    chosen = [class_choice(subject, version) for version in (FOUR, FIVE)]
    return all(
        each is not None and each.pointer == f"/{KEY}" and each.name in (AS_STATED, AS_FILE)
        for each in chosen
    )


def _stated(subject: Subject, base: str, version: str) -> ClassChoice | None:
    """Return a class that a file names; refusals cover values of another form.

    A name without a letter is one to version 4, which finds no such class, and none to version 5.
    """
    file, value = settings_file(subject, base), settings_object(subject, base).get(KEY)
    if file is None or not isinstance(value, str) or (not value and version == FIVE):
        return None
    return ClassChoice(value, True, file.name, f"/{KEY}", value)


def _four(found: ClassChoice) -> ClassChoice:
    """Return the fast class of the name, else the class itself, else an error."""
    names, name = class_names_of(FOUR), found.name
    for each in (name,) if name.endswith(FAST) else (name + FAST, name):
        if each in names.all or _is_recorded(each, FOUR):
            return _with(found, each, each in names.fast)
    raised = f"ValueError: Tokenizer class {name} does not exist or is not currently imported."
    return ClassChoice(name, False, found.file, found.pointer, found.value, raised)


def _five(
    subject: Subject, found: ClassChoice | None, known: KnownModelType | None, kind: Any
) -> ClassChoice | None:
    """Return the named class, the model type's, or the one that loads the file unchanged."""
    registered = "" if known is None else known.tokenizers[1].removesuffix(FAST)
    misnamed = known is not None and known.misnamed
    if found is None:
        return _of_type(subject, known, kind, 1)
    name, names = found.name.removesuffix(FAST), class_names_of(FIVE)
    if name == LEAVES_BYTES_TO_FILE and not misnamed and _is_byte_level(subject):
        return replace(_with(found, AS_FILE, True), passes_over=name)
    if registered and registered != name:
        if registered in NO_CLASS_OF_ITS_OWN:
            return _with(found, AS_FILE, True)
        file = settings_file(subject, MODEL)
        if misnamed and file is not None:
            of_type = ClassChoice(registered, True, file.name, "/model_type", kind)
            return _looked_up(of_type, registered, names)
        return _looked_up(found, name, names)
    if found.file.rpartition("/")[2] == MODEL and not _is_there(name, names):
        return replace(found, name=name, is_fast=False, refused=NO_SUCH_CLASS)
    return _looked_up(found, name, names)


def _is_there(name: str, names: ClassNames) -> bool:
    return name in NO_CLASS_OF_ITS_OWN or name in names.all or _is_recorded(name, FIVE)


def _looked_up(found: ClassChoice, name: str, names: ClassNames) -> ClassChoice:
    if name in NO_CLASS_OF_ITS_OWN or not _is_there(name, names):
        return _with(found, AS_FILE, True)
    return _with(found, name, name not in names.slow)


def _of_type(
    subject: Subject, known: KnownModelType | None, kind: Any, version: int
) -> ClassChoice | None:
    """Return the class of the model type, if no file names one.

    Version 5 takes the file as it is for a type without one, version 4 raises.
    """
    file = settings_file(subject, MODEL)
    if file is None:
        return None
    name, at = "" if known is None else known.tokenizers[version], "/model_type"
    if not name and version:
        return ClassChoice(AS_FILE, True, file.name, at if kind is not None else "", kind)
    if not isinstance(kind, str) or subject.facts_named("auto_map"):
        return None  # its folder's name, or code of the checkpoint, may name a type
    if not name:
        raised = f"ValueError: no tokenizer class is known for the model type {kind}."
        return ClassChoice(name, False, file.name, at, kind, raised)
    names = class_names_of((FOUR, FIVE)[version])
    fast = name if version or name.endswith(FAST) else name + FAST
    taken = fast if fast in names.all else name
    return ClassChoice(taken, taken not in names.slow, file.name, at, kind)


def _with(found: ClassChoice, name: str, is_fast: bool) -> ClassChoice:
    return ClassChoice(name, is_fast, found.file, found.pointer, found.value)


def _is_recorded(name: str, version: str) -> bool:
    """Return whether a record says that the version has the class, even if not installed."""
    known = class_named(name)
    sides: Mapping[str, str] = {} if known is None else {FOUR: known.four, FIVE: known.five}
    has = sides.get(version, ABSENT)
    return has != ABSENT and (version == FIVE or not name.endswith(FAST) or "fast" in has)


def _is_byte_level(subject: Subject) -> bool:
    """Return whether tokenizer.json contains the word anywhere, as version 5 searches it."""
    file = settings_file(subject, TOKENIZER_JSON)  # whatever fast_tokenizer_files lists
    return file is not None and has_text(file, BYTE_LEVEL)
