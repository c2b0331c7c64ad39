"""Find what a transformers version refuses in a folder, from recorded answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.subject.effective.class_choice import MODEL, TOKENIZER, ClassChoice, class_choice
from tokaudit.subject.effective.handed_settings import (
    EXTRA,
    MAP,
    TABLE,
    HandedSetting,
    handed_settings,
)
from tokaudit.subject.effective.handed_settings import LISTED as TOKENS
from tokaudit.subject.effective.sentinel_lists import missed_sentinels
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.tokenizer_file import (
    LISTED,
    chosen_tokenizer_file,
    has_text,
    tokenizer_file_name,
)
from tokaudit.subject.effective.value_forms import ADDED, CONTENT, MARK, forms_of
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.checkpoints import parts_that_read_text
from tokaudit.subject.upstream.config_fields import refused_fields
from tokaudit.subject.upstream.model_type import known_type
from tokaudit.subject.upstream.own_code import KEY
from tokaudit.subject.upstream.precedence import first_of
from tokaudit.subject.upstream.refusals import class_names_of, refused_forms
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, class_named, every_class
from tokaudit.subject.upstream.versions import ABSENT, FOUR, NO_ARGUMENT
from tokaudit_reference.spec import ModelType

SIDES = {"padding_side": ("left", "right"), "truncation_side": ("left", "right")}
"""The values of a form that is refused otherwise."""
OF_BERT = {
    key: re.compile(rb'"%s"' % option)
    for key, option in (
        ("do_lower_case", b"lowercase"),
        ("tokenize_chinese_chars", b"handle_chinese_chars"),
    )
}
OF_NORMALIZER, NO_NORMALIZER = "tokenize_chinese_chars", re.compile(rb'"normalizer"\s*:\s*null')
TWICE = "TypeError: AddedToken() got multiple values for keyword argument 'special'"
SWITCH, BEGINS = "add_bos_token", "add_bos_token = True"
NOT_A_TEXT = "TypeError: the JSON object must be str, bytes or bytearray, not NoneType"
CLASS, ANY_MODEL = "tokenizer_class", "tokenizer.model"
TYPE = "model_type"
OWN, PAIR, NO_PAIR = "auto_map", 2, "IndexError: list index out of range"
FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")
NO_MAP = "AttributeError: 'str' object has no attribute 'get'"


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
    """Return everything that a version refuses; it raises the first error."""
    if (named := _no_name(subject, version)) is not None:
        return (named,)
    choice = class_choice(subject, version)
    if choice is None:
        return tuple(_of_own_code(subject))
    if choice.refused:
        return (Refusal(choice.refused, choice.file, choice.pointer, choice.value, CLASS),)
    of_model = () if version == FOUR else _of_model(subject)
    return (*of_model, *_of_settings(subject, version, choice))


def _of_model(subject: Subject) -> Iterator[Refusal]:
    """Yield values of a model config that version 5 refuses."""
    file, stated = settings_file(subject, MODEL), settings_object(subject, MODEL)
    if file is None or OWN in stated:
        return
    parts: dict[tuple[str, ...], Any] = {(): stated}
    parts |= {(key,): stated.get(key) for key in parts_that_read_text()}
    for path, part in parts.items():
        if not isinstance(part, Mapping):
            continue
        kind = part.get(TYPE)
        known = known_type(kind) if isinstance(kind, str) else None
        refused = refused_fields(known.fields, known.floats, part) if known is not None else {}
        for key, says in refused.items():
            yield Refusal(says, file.name, pointer(*path, key), part[key], key)


def _no_name(subject: Subject, version: str) -> Refusal | None:
    """Return the error for a class name that is not a text."""
    file, value = settings_file(subject, TOKENIZER), settings_object(subject, TOKENIZER).get(CLASS)
    if file is None or value is None or isinstance(value, str):
        return None
    forms = forms_of(value)
    rows = (row for row in refused_forms(version) if CLASS in row.keys)
    says = next((row.says for row in rows if not forms.isdisjoint(row.forms)), "")
    return Refusal(says, file.name, pointer(CLASS), value, CLASS) if says else None


def _of_own_code(subject: Subject) -> Iterator[Refusal]:
    """Yield the error for a custom class that is not a pair of slow and fast."""
    file, stated = settings_file(subject, TOKENIZER), settings_object(subject, TOKENIZER).get(OWN)
    named = stated.get(KEY) if isinstance(stated, dict) else stated
    says = NO_MAP if isinstance(stated, str) else ""
    if isinstance(named, list) and len(named) < PAIR:
        says = NO_PAIR
    if file is not None and says:
        yield Refusal(says, file.name, pointer(OWN), stated, OWN)


def _of_settings(subject: Subject, version: str, choice: ClassChoice) -> Iterator[Refusal]:
    """Yield the keys of settings files that the class refuses."""
    whole = chosen_tokenizer_file(subject, version, settings_object(subject, TOKENIZER))
    has_json = whole is not None
    known, names = class_named(choice.name), class_names_of(version)
    bases = {each.base for each in subject.files}
    has_own = known is not None and not bases.isdisjoint(known.files)
    if not has_json and not has_own and not _is_empty(known, version, bases):
        if LISTED in settings_object(subject, TOKENIZER) or _is_of_some_class(subject, bases):
            yield _no_file(subject, version, choice)
        return  # a folder in the files of another loader is not for transformers
    if whole is not None and version == FOUR and _misses_normalizer(known, choice, whole):
        says = f"{NOT_A_TEXT}: {choice.name} reads the normalizer of {whole.name}, which is null"
        yield Refusal(says, choice.file, choice.pointer, choice.value, CLASS)
    yield from _of_tokens(subject, version)
    rows = [
        row
        for row in refused_forms(version)
        if row.is_of(choice.name, choice.is_fast, has_json, has_own)
    ]
    handed = handed_settings(subject)
    lengths = [name for name in first_of("length") if name in handed]
    hidden = frozenset(lengths[1:])  # by the name that goes first
    if says := missed_sentinels(
        subject, version, choice, known, handed, of_own_file=has_own and not has_json
    ):
        each = handed[TOKENS]
        yield Refusal(says, each.file, pointer(TOKENS), each.value, TOKENS)
    for key, each in handed.items():
        if version != FOUR and key == EXTRA and _is_special_twice(each):
            yield Refusal(TWICE, each.file, pointer(key), each.value, key)
            continue
        if key in names.methods:  # keys become attributes
            says = f"AttributeError: {key} conflicts with the method {key} in {choice.name}"
            yield Refusal(says, each.file, pointer(key), each.value, key)
            continue
        if each.value in SIDES.get(key, ()) or _is_left_alone(version, key, whole):
            continue
        if key in hidden:
            continue
        for row in rows:
            if key in row.keys and not each.forms.isdisjoint(row.forms):
                if BEGINS in row.says and SWITCH in handed and not handed[SWITCH].value:
                    continue
                says = row.says.replace("{key}", key).replace("{class}", choice.name)
                yield Refusal(says, each.file, pointer(key), each.value, key, row.encoding)
                break


def _of_tokens(subject: Subject, version: str) -> Iterator[Refusal]:
    """Yield flags that are not booleans and contents that are not text.

    They are those of the table, of roles and lists next to it, and of the map where it is read.
    """
    stated = settings_object(subject, TOKENIZER)
    bases = [(TOKENIZER, stated)]
    if TABLE not in stated:
        bases.append((MAP, settings_object(subject, MAP)))
    for base, found in bases:
        if (file := settings_file(subject, base)) is None:
            continue
        for path, token in _tokens(found, is_map=base == MAP):
            for key, says in _raised_of(token, version):
                yield Refusal(says, file.name, pointer(*path, key), token[key], key)


def _tokens(
    stated: Mapping[str, Any], *, is_map: bool
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Yield values that become tokens, with their paths."""
    entries: Iterator[tuple[tuple[str, ...], Any]]
    for key, value in stated.items():
        if key == TABLE and isinstance(value, dict):
            entries = (((TABLE, id), entry) for id, entry in value.items())
        elif isinstance(value, list):
            entries = (((key, str(at)), entry) for at, entry in enumerate(value))
        else:
            entries = iter([((key,), value)])
        for path, entry in entries:
            if isinstance(entry, dict) and (key == TABLE or is_map or entry.get(MARK) == ADDED):
                yield path, entry


def _raised_of(token: Mapping[str, Any], version: str) -> Iterator[tuple[str, str]]:
    for flag in FLAGS:
        if flag in token and not isinstance(token[flag], bool):
            yield flag, _raised(token[flag], "bool", version)
    if not isinstance(token.get(CONTENT), str | None):
        yield CONTENT, _raised(token[CONTENT], "str", version)


def _raised(value: Any, wanted: str, version: str) -> str:
    """Return the error of the version's tokenizers for a value of a wrong type."""
    found = type(value).__name__
    if version == FOUR:
        taken = {"bool": "PyBool", "str": "PyString"}[wanted]
        return f"TypeError: '{found}' object cannot be converted to '{taken}'"
    named = "'None'" if value is None else f"'{found}' object"
    return f"TypeError: {named} is not an instance of '{wanted}'"


def _is_special_twice(each: HandedSetting) -> bool:
    """Return whether a list of the map holds tokens marked special, which version 5 adds."""
    tokens = each.value if isinstance(each.value, list) and each.file.endswith(MAP) else ()
    return any(isinstance(token, dict) and "special" in token for token in tokens)


def _is_left_alone(version: str, key: str, whole: SourceFile | None) -> bool:
    """Return whether version 4 finds a BERT normalizer switch in no step of the file."""
    step = OF_BERT.get(key) if version == FOUR and whole is not None else None
    return step is not None and whole is not None and not has_text(whole, step)


def _is_empty(known: TokenizerClass | None, version: str, bases: Collection[str]) -> bool:
    """Return whether a class needs no file: bytes only, or empty at first in version 5.

    Version 5 takes a tokenizer.model for any class but those of words.
    """
    builds = "" if known is None else known.builds
    if version != FOUR and (ANY_MODEL in bases or builds):
        return ANY_MODEL not in bases or builds.lower() != ModelType.WORDPIECE
    return known is not None and not known.files


def _is_of_some_class(subject: Subject, bases: Collection[str]) -> bool:
    """Return whether some class reads a file of such a name, or the named class reads none."""
    named = settings_object(subject, TOKENIZER).get(CLASS)
    stated = class_named(named) if isinstance(named, str) else None
    if stated is not None and not stated.files:
        return True
    return any(not set(bases).isdisjoint(known.files) for known in every_class().values())


def _misses_normalizer(
    known: TokenizerClass | None, choice: ClassChoice, whole: SourceFile
) -> bool:
    """Return whether a version 4 class changes a switch of a missing normalizer."""
    own = None if known is None else known.settings.get(OF_NORMALIZER)
    reads = own is not None and own.taken(FOUR, over_file=True) not in (ABSENT, NO_ARGUMENT)
    return choice.is_fast and reads and has_text(whole, NO_NORMALIZER)


def _no_file(subject: Subject, version: str, choice: ClassChoice) -> Refusal:
    """Return the error of a class that finds none of its files."""
    file, stated = settings_file(subject, TOKENIZER), settings_object(subject, TOKENIZER)
    listed = stated.get(LISTED)
    if listed is not None and file is not None:
        named = tokenizer_file_name(listed, version)
        says = f"it looks for {named}, which {LISTED} names, and there is none"
        return Refusal(says, file.name, pointer(LISTED), listed, LISTED)
    says = f"{choice.name} finds none of the files that it is made from"
    return Refusal(says, choice.file, choice.pointer, choice.value, CLASS)
