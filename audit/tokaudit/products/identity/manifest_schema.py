"""Validate a manifest against the published schema, `manifest.schema.json`.

Only the words of JSON Schema that our own schema uses are known here; another one is an error of
ours, which the first use shows.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.subject.safe_json import pointer

DEEPEST = 200  # objects and lists in each other; the configs of published tokenizers have ten
Place = tuple[str | int, ...]
Fault = tuple[Place, str]

_TYPES: Mapping[str, type] = {"object": dict, "array": list, "string": str}
_ANNOTATIONS = frozenset(("$schema", "title", "description"))


@cache
def schema() -> dict[str, Any]:
    """Load the published schema."""
    text = (files("tokaudit.products.identity") / "manifest.schema.json").read_text(
        encoding="utf-8"
    )
    read: dict[str, Any] = json.loads(text)
    return read


def refuse_invalid(statement: Any, name: str) -> None:
    """Raise `UsageError` with the JSON pointer of the first fault."""
    for where, fault in _faults(statement):
        raise UsageError(
            f"{name}: is not a tokaudit manifest: {_named(where)} {fault}; "
            "to write one: tokaudit manifest DIR --out manifest.json"
        )


def _faults(statement: Any) -> Iterator[Fault]:
    yield from _not_json(statement)
    yield from _against(schema(), statement, ())
    seen: set[str] = set()
    for index, entry in enumerate(statement["subject"]):
        if entry["name"] in seen:
            yield ("subject", index, "name"), "names a file that an earlier entry names"
        seen.add(entry["name"])


def _named(where: Place) -> str:
    return pointer(*where) or "the whole"


def _not_json(value: Any, where: Place = ()) -> Iterator[Fault]:
    """Yield values that JSON cannot hold, in a statement given as a Python object."""
    if len(where) > DEEPEST:
        yield where[:3], f"is nested more than {DEEPEST} deep"
    elif isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str):
                yield where, "has a key that is not a string"
            yield from _not_json(each, (*where, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _not_json(each, (*where, index))
    elif isinstance(value, float) and not math.isfinite(value):
        yield where, f"is {value}, which is not a number in JSON"
    elif not isinstance(value, str | int | float | None):
        yield where, f"is a {type(value).__name__}, which JSON does not have"


def _against(rules: Mapping[str, Any], value: Any, where: Place) -> Iterator[Fault]:
    for word, rule in rules.items():
        if word not in _ANNOTATIONS:
            yield from _RULES[word](rule, value, where, rules)


def _type(rule: str, value: Any, where: Place, _: Any) -> Iterator[Fault]:
    if not isinstance(value, _TYPES[rule]):
        yield where, f"is {_kind(value)}; expected {rule}"


def _const(rule: str, value: Any, where: Place, _: Any) -> Iterator[Fault]:
    if value != rule:
        yield where, f"is {_short(value)}; expected {json.dumps(rule)}"


def _pattern(rule: str, value: Any, where: Place, _: Any) -> Iterator[Fault]:
    if isinstance(value, str) and not re.fullmatch(rule, value):
        yield where, f"is {_short(value)}; expected {rule}"


def _required(rule: list[str], value: Any, where: Place, _: Any) -> Iterator[Fault]:
    for member in rule:
        if isinstance(value, dict) and member not in value:
            yield (*where, member), "is missing"


def _at_least(rule: int, value: Any, where: Place, _: Any) -> Iterator[Fault]:
    if isinstance(value, str | list | dict) and len(value) < rule:
        yield where, "is empty"


def _properties(rule: Mapping[str, Any], value: Any, where: Place, _: Any) -> Iterator[Fault]:
    for member, rules in rule.items():
        if isinstance(value, dict) and member in value:
            yield from _against(rules, value[member], (*where, member))


def _additional(
    rule: Mapping[str, Any], value: Any, where: Place, rules: Mapping[str, Any]
) -> Iterator[Fault]:
    for member, each in value.items() if isinstance(value, dict) else ():
        if member not in rules.get("properties", {}):
            yield from _against(rule, each, (*where, member))


def _items(rule: Mapping[str, Any], value: Any, where: Place, _: Any) -> Iterator[Fault]:
    for index, each in enumerate(value if isinstance(value, list) else ()):
        yield from _against(rule, each, (*where, index))


_RULES: Mapping[str, Callable[[Any, Any, Place, Any], Iterator[Fault]]] = {
    "type": _type,
    "const": _const,
    "pattern": _pattern,
    "required": _required,
    "minItems": _at_least,
    "minLength": _at_least,
    "minProperties": _at_least,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
}


def _kind(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 90 else text[:87] + "..."
