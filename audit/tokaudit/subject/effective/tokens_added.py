"""Finds the tokens that a version of transformers adds because settings name them.

A special token that settings name and the tokenizer does not have is no error: the version adds it
after the last id, where no row of the model was meant for it.

Source: `_from_pretrained` and the constructor of fast tokenizers in both versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.effective.class_choice import TOKENIZER, class_choice
from tokaudit.subject.effective.class_settings import (
    CONTENT,
    MAP,
    TABLE,
    VersionReader,
    version_reader,
)
from tokaudit.subject.effective.loaders import Loader
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.effective.tokenizer_file import chosen_tokenizer_file
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.versions import FOUR
from tokaudit_reference.spec import TokenizerSpec

LISTED, EXTRA = "additional_special_tokens", "extra_special_tokens"
Settings = Mapping[str, Any]


def tokens_added(subject: Subject, spec: TokenizerSpec, loader: Loader) -> tuple[str, ...]:
    """The tokens that a version adds to a tokenizer.json, in no order; none where it is unknown."""
    choice = class_choice(subject, loader.version)
    if choice is None or not choice.is_fast or refusals(subject, loader.version):
        return ()
    file = chosen_tokenizer_file(subject, loader.version, settings_object(subject, TOKENIZER))
    if file is None or file.name not in spec.files:
        return ()
    reader = version_reader(subject, loader, choice, spec)
    named = dict.fromkeys(_named(reader)) if spec.pieces else {}
    known: set[bytes | str] = {token.content for token in spec.added_tokens}
    if any(each not in known for each in named):
        known |= {piece.value for piece in spec.every_piece()}
    return tuple(
        each for each in named if known.isdisjoint((each, each.encode("utf-8", "replace")))
    )


def _named(reader: VersionReader) -> Iterator[str]:
    """The tokens of roles and lists that files state."""
    for key in ROLE_TOKENS:
        cell = reader.role(key)
        if cell is not None and cell.file and isinstance(cell.value, str):
            yield cell.value
    stated = reader.files.get(TOKENIZER, ("", {}))[1]
    legacy = {} if TABLE in stated else reader.files.get(MAP, ("", {}))[1]
    lists = _of_four(stated, legacy) if reader.version == FOUR else _of_five(stated, legacy)
    for value in lists:
        yield from _texts(value)


def _of_four(stated: Settings, legacy: Settings) -> Iterator[Any]:
    """The lists of both files together, and tokens by name."""
    yield from (stated.get(LISTED), legacy.get(LISTED), stated.get(EXTRA))


def _of_five(stated: Settings, legacy: Settings) -> Iterator[Any]:
    """One list alone: what is listed becomes the extra tokens, unless there are some by then."""
    listed, extra, has_extra = stated.get(LISTED), stated.get(EXTRA), EXTRA in stated
    if LISTED in stated and not extra:
        listed, extra, has_extra = None, listed, True
    if isinstance(extra, dict):
        yield extra
        extra, has_extra = None, False
    if isinstance(legacy.get(EXTRA), list):
        yield legacy[EXTRA]
        has_extra = True
    yield extra if has_extra else legacy.get(LISTED, listed)


def _texts(value: Any) -> Iterator[str]:
    members = value.values() if isinstance(value, dict) else value
    for each in members if isinstance(members, list) or isinstance(value, dict) else ():
        text = each.get(CONTENT) if isinstance(each, dict) else each
        if isinstance(text, str) and text:
            yield text
