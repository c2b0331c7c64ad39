"""Effects of settings keys whose treatment by loaders is unknown."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.defaults import (
    TOKENIZER_JSON,
    acting,
    loader_of,
    loader_over_file,
)
from tokaudit.report.model import Place
from tokaudit.report.wording import located
from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.formats.common.settings import LISTS
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.over_tokenizer_json import acts_on, arguments_of_classes
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.upstream.pipeline import family, settings_of
from tokaudit.subject.upstream.setting_key import (
    MODEL,
    TOKENIZER,
    Decides,
    every_setting,
    without_effect,
)
from tokaudit_reference.spec import Standing

OF_THE_CLASS = ("tokenizer_class", "model_type", "auto_map")
OF_TOKENIZERS = (TOKENIZER, "special_tokens_map.json", "added_tokens.json", MODEL)
OF_BATCHES = ("padding_side", "model_input_names")  # which facets of their own are about
OF_TOKENS = (*ROLE_TOKENS, *LISTS, "added_tokens_decoder")
"""Keys whose tokens are compared by themselves, where it is known what the class makes of them."""


def is_unread(base: str, key: str, left: Side, right: Side) -> bool:
    """Return whether no loader reads a key, or only what both specs include already."""
    if (base, key) in without_effect():
        return True
    if base != TOKENIZER:
        return False
    by_specs = key in _settings_built(left) and key in _settings_built(right)
    return by_specs or acting(left, key) == acting(right, key) == (False, False)


def decides(base: str, key: str) -> Decides:
    """Return the effect of a key; one that a class reads without a record may change ids."""
    if base == MODEL and key in OF_THE_CLASS:
        return Decides.IDS
    known = (each.decides for each in every_setting() if (each.file, each.key) == (base, key))
    if base == MODEL or base not in OF_TOKENIZERS:
        return Decides.NOTHING
    taken = base == TOKENIZER and key in arguments_of_classes()
    return next(known, Decides.IDS if taken else Decides.NOTHING)


def may_decide(left: Side, right: Side, place: Place, what: Collection[Decides]) -> bool:
    """Return whether a differing place may have one of some effects."""
    base = place.file.rpartition("/")[2]
    keys = [place.pointer[1:]] if place.pointer else [*_keys_of(left, right, place.file)]
    return any(
        decides(base, key) in what
        for key in keys
        if key not in OF_BATCHES
        if not (key in OF_TOKENS and all(_has_tokens(side, key) for side in (left, right)))
        if not is_unread(base, key, left, right) and not _is_of_no_class(left, right, key)
        if not (base == MODEL and _have_one_class(left, right))
    )


def _has_tokens(side: Side, key: str) -> bool:
    """Return whether the tokens that a key names are compared elsewhere."""
    if loader_over_file(side) is not None:
        return True
    facts = side.subject.facts_named(key) if side.subject is not None else ()
    named = {text for fact in facts for text in contents(fact.value)}
    return _is_built_by_class(side) and named <= {*side.names.values()}


def _is_of_no_class(left: Side, right: Side, key: str) -> bool:
    """Return whether a key is a class's, and no side names a class."""
    named = (loader_of(side.subject) for side in (left, right) if side.subject is not None)
    files = all(side.spec.format == TOKENIZER_JSON for side in (left, right))
    return files and not any(named) and acts_on(None, key, False) == (False, False)


def _keys_of(left: Side, right: Side, file: str) -> Iterator[str]:
    """Yield the keys of a file that one side has."""
    for side in (left, right):
        for fact in side.subject.facts if side.subject is not None else ():
            if located(side.name, fact.file) == file:
                yield fact.name


def _have_one_class(left: Side, right: Side) -> bool:
    """Return whether one class is known to load both sides, whatever the models."""
    named = [None if side.subject is None else loader_of(side.subject) for side in (left, right)]
    names = [each.name for each in named if each is not None]
    return len(names) == 2 and names[0] == names[1]


def _is_built_by_class(side: Side) -> bool:
    """Return whether a class builds the pipeline of a side from its files."""
    return bool(_family_of(side))


def _settings_built(side: Side) -> frozenset[str]:
    """Return the settings that shaped the pipeline which the class built."""
    name = _family_of(side)
    return settings_of(family(name)) if name else frozenset()


def _family_of(side: Side) -> str:
    named = None if side.subject is None or own_class(side.subject) else class_of(side.subject)
    if named is None or named.known is None:
        return ""
    steps = side.spec.normalizer, side.spec.pre_tokenizer, side.spec.decoder
    built = any(step.standing is Standing.IMPLIED for step in steps)
    return named.known.pipelines.of_files if built else ""


def contents(value: Any) -> Iterator[str]:
    """Yield the texts of tokens that a setting names: one, a list, a table, or names.

    >>> [*contents(["<s>", {"content": "</s>"}]), *contents({"0": {"content": "a"}})]
    ['<s>', '</s>', 'a']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and "content" in value:
        yield from contents(value["content"])
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from contents(each)
