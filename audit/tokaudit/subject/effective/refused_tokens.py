"""Finds tokens stated in a form that no version of transformers makes a token of.

A flag is true or false and a content a text, for every class of both versions of transformers; the
errors are those of tokenizers.  What is no token at all, the records of refusals tell by its form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.subject.effective.class_choice import TOKENIZER
from tokaudit.subject.effective.handed_settings import MAP, TABLE
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.value_forms import ADDED, MARK
from tokaudit.subject.material import Subject
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.versions import FOUR

FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")
CONTENT = "content"


@dataclass(frozen=True, slots=True)
class RefusedToken:
    """A value of which no token is made: where it stands, its key, and what is raised."""

    file: str
    pointer: str
    key: str
    value: Any
    says: str


def refused_tokens(subject: Subject, version: str) -> Iterator[RefusedToken]:
    """Yield those of the table, of roles and lists next to it, and of the map where it is read."""
    stated = settings_object(subject, TOKENIZER)
    bases = [(TOKENIZER, stated)]
    if TABLE not in stated:
        bases.append((MAP, settings_object(subject, MAP)))
    for base, found in bases:
        if (file := settings_file(subject, base)) is None:
            continue
        for path, token in _tokens(found, is_map=base == MAP):
            for key, value, says in _refused(token, version):
                yield RefusedToken(file.name, pointer(*path, key), key, value, says)


def _tokens(
    stated: Mapping[str, Any], *, is_map: bool
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Values that become tokens, with their paths: entries of the table, objects that say so."""
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


def _refused(token: Mapping[str, Any], version: str) -> Iterator[tuple[str, Any, str]]:
    for flag in FLAGS:
        if flag in token and not isinstance(token[flag], bool):
            yield flag, token[flag], _raised(token[flag], "bool", version)
    if not isinstance(token.get(CONTENT), str | None):
        yield CONTENT, token[CONTENT], _raised(token[CONTENT], "str", version)


def _raised(value: Any, wanted: str, version: str) -> str:
    """The error of the version's tokenizers for a value of another type."""
    found = type(value).__name__
    if version == FOUR:
        taken = {"bool": "PyBool", "str": "PyString"}[wanted]
        return f"TypeError: '{found}' object cannot be converted to '{taken}'"
    named = "'None'" if value is None else f"'{found}' object"
    return f"TypeError: {named} is not an instance of '{wanted}'"
