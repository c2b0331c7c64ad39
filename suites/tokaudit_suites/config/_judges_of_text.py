"""The rules of settings for what loaders make of a text: length, masks, types, case, sentinels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tokaudit.report.model import Finding, Severity
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.tokenizer_class import setting_of
from tokaudit_suites.config._judges import plain_name
from tokaudit_suites.config._row import Ground, Judge
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.vocab_entries import ordinary, text_of
from tokaudit_suites.shared.wording import plural

NAMED = "tokenizer_config.json"
INPUTS, MASK, TYPES = "model_input_names", "attention_mask", "token_type_ids"
SENTINEL = "<extra_id_"
CASED = 0.05  # of the entries; a vocabulary of small letters has a few names at most


def a_length(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A length is a whole number above zero."""
    value = stated.value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and (value < 1 or value != int(min(value, 2**63))) and value < 10**18:
        message = (
            f"{stated.key} in {stated.file} is {value}: a length that is not a whole number above "
            "zero stops every call that cuts texts."
        )
        yield stated.reported(Severity.ERROR, message)


def own_files(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """Files that loaders are sent to are in the folder."""
    yield from plain_name(ground, stated)
    here = {file.name.rpartition("/")[2] for file in ground.subject.files}
    names = stated.value if isinstance(stated.value, list) else []
    gone = [name for name in names if isinstance(name, str) and "/" not in name]
    for name in (name for name in gone if name not in here):
        message = (
            f"{stated.key} in {stated.file} names {name[:80]!r}, which is not in the folder: "
            "loaders look for it in place of tokenizer.json."
        )
        yield stated.reported(Severity.ERROR, message)
        return


def cased_too(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A cased vocabulary is given text with its capitals."""
    if stated.value is not True or any(s.effects.lower_cases for s in ground.spec.normalizer.steps):
        return
    texts = [text_of(piece) or "" for _, piece in ordinary(ground.spec)]
    cased = sum(text != text.lower() for text in texts)
    if cased > CASED * len(texts):
        message = (
            f"{stated.key} in {stated.file} turns capitals into small letters before the tokenizer "
            f"sees them, but {plural(cased, 'entry')} of its vocabulary have some."
        )
        yield stated.reported(Severity.WARNING, message)


def sentinels(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """The sentinels are as many as are asked for."""
    texts = {str(piece.value) for piece in ground.spec.pieces.values()}
    texts |= {token.content for token in ground.spec.added_tokens}
    have = sum(text.startswith(SENTINEL) for text in texts)
    if have and isinstance(stated.value, int) and 0 < stated.value != have:
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, but the tokenizer has "
            f"{plural(have, 'sentinel')}: loading stops with an error."
        )
        yield stated.reported(Severity.ERROR, message)


def types_there(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """The model has a row for each type that the tokenizer gives."""
    most = max(
        (n for s in ground.spec.post_processor.steps for n in _types(s.to_json())), default=0
    )
    if isinstance(stated.value, int) and 0 < stated.value <= most and TYPES in _inputs(ground):
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, but the tokenizer gives the second "
            f"of two texts type {most}: pairs stop with an index error."
        )
        yield stated.reported(Severity.ERROR, message)


def a_mask(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """The mask is made where the class makes one."""
    names = stated.value if isinstance(stated.value, list) else []
    if names and MASK not in names and MASK in _of_the_class(ground):
        message = (
            f"{stated.key} in {stated.file} has no {MASK}, so none is made: the model reads what "
            "batches are filled up with as text."
        )
        yield stated.reported(Severity.WARNING, message)


def _inputs(ground: Ground) -> str:
    """What the tokenizer makes, as the settings or else the class say."""
    own = ground.stated(NAMED, INPUTS)
    return " ".join(map(str, own)) if isinstance(own, list) else _of_the_class(ground)


def _of_the_class(ground: Ground) -> str:
    named = class_of(ground.subject)
    found = setting_of(named.name, INPUTS) if named is not None else None
    return "" if found is None else found.five if len(found.five) > len("absent") else found.four


def _types(value: Any) -> Iterator[int]:
    """Every type in the options of a step."""
    if isinstance(value, dict):
        if isinstance(value.get("type_id"), int):
            yield value["type_id"]
        for inner in value.values():
            yield from _types(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _types(inner)


JUDGES: Sequence[Judge] = (a_length, own_files, cased_too, sentinels, types_there, a_mask)
