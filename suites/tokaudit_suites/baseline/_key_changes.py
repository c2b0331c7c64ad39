"""Find the keys of settings files whose change has an effect in loaders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from math import inf
from typing import Any

from tokaudit.engine.facet_names import ROLES
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.stated import stated_of
from tokaudit.products.compare.settings.defaults import (
    BOS,
    EOS,
    TOKENIZER_JSON,
    VALUES,
    acting,
    loader_of,
)
from tokaudit.products.compare.settings.files import OF_IDS, OF_MODEL, DifferingFile
from tokaudit.products.compare.settings.key_effects import OF_TOKENS
from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.upstream.setting_key import TOKENIZER, Decides, SettingKey, every_setting
from tokaudit.subject.upstream.versions import ABSENT, FIVE, FOUR, NO_ARGUMENT
from tokaudit_reference.spec import Standing

ADAPTER = "adapter_config.json"
OF_INPUTS = ("preprocessor_config.json", "video_preprocessor_config.json", "processor_config.json")
OF_A_RUN = (
    *("auto_mapping", "base_model_name_or_path", "inference_mode", "revision", "task_type"),
    *("corda_config", "eva_config", "init_lora_weights", "loftq_config", "lora_dropout"),
    *("peft_version", "runtime_config"),
)
"""The keys of an adapter by which nothing is done with its stored weights; see `PEFT_RUN`."""
UNSET: tuple[Any, ...] = (None, False, [], {}, "none")
"""The values of an adapter's key that is as good as left out."""
ELSEWHERE = (*OF_MODEL, *OF_TOKENS)  # which other checks of a base compare
NOT_COMPARED = (Decides.FILES, Decides.NOTHING)
UNKNOWN, BOTH = object(), (True, True)


@dataclass(frozen=True)
class KeyChange:
    """A key with its value in the base and here, None where a file does not state it."""

    pointer: str
    theirs: Any
    mine: Any


def key_changes(differing: DifferingFile, left: Side, right: Side) -> Iterator[KeyChange]:
    """Yield the keys of a file that have another effect; `left` is the base."""
    base = differing.name.rpartition("/")[2]
    records = {each.key: each for each in every_setting() if each.file == base}
    for pointer, stated in differing.values.items():
        key = pointer.removeprefix("/")
        theirs, mine = (None if each is None else json.loads(each) for each in stated)
        if base == ADAPTER:
            acts = key not in OF_A_RUN and _of_adapter(theirs) != _of_adapter(mine)
        elif base in OF_INPUTS:
            one_form = isinstance(theirs, dict) == isinstance(mine, dict)  # a size has two
            both = one_form and None not in (theirs, mine)
            acts = both and _of_inputs(theirs) != _of_inputs(mine)
        else:
            record = None if key in ELSEWHERE else records.get(key)
            acts = record is not None and _acts(record, theirs, mine, left, right)
        if acts:
            yield KeyChange(pointer, theirs, mine)


def _of_adapter(value: Any) -> Any:
    return None if value in UNSET else _unordered(value)


def _unordered(value: Any) -> Any:
    """Return a value without the order of its items, which has no effect."""
    return sorted(map(str, value)) if isinstance(value, list) else value


def _of_inputs(value: Any) -> Any:
    """Return a value; of a class, its name without `Fast`, which does the same."""
    return value.removesuffix("Fast") if isinstance(value, str) else value


def _acts(record: SettingKey, theirs: Any, mine: Any, left: Side, right: Side) -> bool:
    """Return whether two values of a recorded key differ in effect."""
    numbers = all(each is None or isinstance(each, int | float) for each in (theirs, mine))
    if record.decides is Decides.LENGTHS and numbers:
        return _cuts(record, theirs, mine)
    if record.decides in NOT_COMPARED:
        return False
    role = record.key.removesuffix("_id")
    if role in ROLE_TOKENS and role != record.key:
        token = stated_of(right, ROLES).get(role, (None,))[0]
        if mine is None or token == _tokens(mine, right):
            return False  # it is the token of the role, which baseline/special-roles compares
    if record.file != TOKENIZER and record.key.endswith(OF_IDS):
        return bool(_tokens(theirs, left) != _tokens(mine, right))
    if None in (theirs, mine):
        side, stated = (left, mine) if theirs is None else (right, theirs)
        alike = left.spec.format == right.spec.format  # so that a class does the same with both
        return alike and _is_not_taken(record, stated, side)
    return bool(_unordered(theirs) != _unordered(mine))


def _is_not_taken(record: SettingKey, value: Any, side: Side) -> bool:
    """Return whether a version's default is known, and is another value than this."""
    of_class = _of_class(record, side)
    if record.key in (BOS, EOS) and side.spec.post_processor.standing is Standing.STATED:
        return False
    said = [own or general for own, general in zip(of_class, record.of_every_class, strict=True)]
    taken = [_default(each, value) for each in compress(said, acting(side, record.key) or BOTH)]
    return any(each is not UNKNOWN and each != _unordered(value) for each in taken)


def _of_class(record: SettingKey, side: Side) -> tuple[str, str]:
    """Return the defaults of a side's class in both versions; empty if unknown."""
    loader = None if side.subject is None else loader_of(side.subject)
    own = None if loader is None or loader.known is None else loader.known.settings.get(record.key)
    if own is None or record.file != TOKENIZER:
        return "", ""
    over_file = side.spec.format == TOKENIZER_JSON
    four, five = (own.taken(version, over_file=over_file) for version in (FOUR, FIVE))
    return four.replace(NO_ARGUMENT, ""), five.replace(NO_ARGUMENT, "")


def _default(said: str, stated: Any) -> Any:
    """Convert a default from the notation of records to a JSON value."""
    word = said.partition(" ")[0].rstrip(":")
    if word in ("", "by", ABSENT):
        return UNKNOWN
    if word == "none":
        return None
    if isinstance(stated, list):
        return _unordered(said.split())
    return VALUES.get(word, UNKNOWN if " " in said else said)


def _cuts(record: SettingKey, theirs: Any, mine: Any) -> bool:
    """Return whether texts may end earlier than with the base, or must be longer."""
    at_least = record.key.startswith("min")
    unstated = 0 if at_least else _shortest(record.default)
    if theirs is None and unstated not in (0, inf):
        return False  # versions take other lengths where none is stated
    there, here = (unstated if each is None else each for each in (theirs, mine))
    return bool(here > there if at_least else here < there)


def _shortest(default: str) -> float:
    """Return the shortest default length of both versions.

    >>> _shortest("4: 20; 5: none"), _shortest("none")
    (20.0, inf)
    """
    said = (part.rpartition(": ")[2] for part in default.split("; "))
    return min((float(each) for each in said if each.isdigit()), default=inf)


def _tokens(value: Any, side: Side) -> Any:
    """Replace ids by the names of their tokens, without order; keep other values."""
    if isinstance(value, list):
        named = {str(_tokens(each, side)) for each in value}
        return named.pop() if len(named) == 1 else named
    return side.names.get(value, str(value)) if isinstance(value, int) else value
