"""Configuration values of a type that no loader accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tokaudit.plugin import (
    Basis,
    Decider,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Repair,
    Severity,
    Subject,
    check,
    decision,
)
from tokaudit.subject.numbers import finite
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.pipeline import refuses_null
from tokaudit.subject.upstream.setting_key import TOKENIZER
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import place_of

FOUND = {"bool": "true or false", "str": "a string", "list": "a list", "dict": "an object"}


@check(
    "files/config-types",
    title="Settings that decide ids have valid types",
    why="If a loader expects a list in a config and finds `true`, or expects a number and finds a "
    "string, the loader reads a wrong value, or fails later with an error that does not name the "
    "config.",
    remedy="Write {pointer|the value} in {file|the file} as a value of the type that loaders "
    "expect.",
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="Llama 3.1 states a list of ends, and an engine expected a number "
    "(turboderp-org/exllamav2 #566).",
)
def config_types(subject: Subject, keys: StatedKeys) -> Iterator[Finding]:
    """Report each value of a wrong type, and each null that a class refuses."""
    yield from _refused_nulls(subject, keys)
    if not subject.facts:
        raise NotApplicable("no file states a setting")
    for fact in subject.facts:
        if fact.expected:
            found = FOUND.get(type(fact.value).__name__, "a number")
            if isinstance(fact.value, float | int) and not finite(fact.value):
                found = "no number that 64 bits hold"
            yield Finding(
                Severity.ERROR,
                f"{fact.name} in {fact.file} is {found}, but loaders expect {fact.expected}.",
                (place_of(fact, "config"),),
                cause=fact.name,
                repair=_converted(fact),
            )


def _refused_nulls(subject: Subject, keys: StatedKeys) -> Iterator[Finding]:
    """Report nulls that version 5 of the class passes to a step needing true or false."""
    named = class_of(subject)
    if named is None or named.known is None:
        return
    for key in keys.nulls:
        if key.base == TOKENIZER and refuses_null(named.known, key.key):
            message = (
                f"{key.key} in {key.file} is null: transformers {FIVE} raises a TypeError where "
                f"{named.name} builds its pipeline with this value; {FOUR} reads null as a "
                "missing key."
            )
            yield key.reported(Severity.WARNING, message, key.left_out())


def _converted(fact: Fact) -> Repair:
    """Return the obvious intended value of a text or number; others need a person."""
    for name, convert in MEANT.items():
        if name in fact.expected and (wanted := convert(fact.value)) is not None:
            made = repaired(set_to(place_of(fact, "config"), wanted))
            if made is not None:
                return made
    return decision(Decider.PERSON, "the value does not say what was meant")


def _number(value: Any) -> int | None:
    plain = isinstance(value, str) and value.strip().isdecimal() and len(value) < 12
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if plain or whole else None


def _switch(value: Any) -> bool | None:
    words = {"true": True, "false": False, "1": True, "0": False}
    return words.get(str(value).lower()) if isinstance(value, str | int) else None


def _listed(value: Any) -> list[Any] | None:
    return [value] if isinstance(value, str | int) and not isinstance(value, bool) else None


MEANT: Mapping[str, Callable[[Any], Any]] = {
    "number": _number,
    "true or false": _switch,
    "list": _listed,
}
