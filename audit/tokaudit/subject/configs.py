"""Facts of one configuration file, under the names that all checks use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tokaudit.subject.material import Fact
from tokaudit.subject.numbers import finite
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.setting_key import NULL, taken_kinds

LARGEST_CONFIG = 16_000_000  # bytes; the largest published have 2 MB, an eighth of it
LARGEST_CONFIGS = 4 * LARGEST_CONFIG  # all of one subject together
# In the order in which transformers adds the tokens of roles that the tokenizer lacks.
ROLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")
ROLE_TOKENS = tuple(f"{role}_token" for role in ROLES)
NUMBER, FLAG = "number", "flag"
TYPES: Mapping[str, tuple[type, ...]] = {
    NUMBER: (int, float),
    FLAG: (bool,),
    "text": (str,),
    "list": (list,),
    "object": (dict,),
    NULL: (type(None),),
}
SHOWN = {FLAG: "true or false", "object": "an object"}
"""Kinds that are described to a reader by other words than "a" and their name."""


def stated(data: Mapping[str, Any], file: str, above: tuple[str, ...] = ()) -> Iterator[Fact]:
    """Yield the facts of one JSON object, under the names that all checks use.

    A value of a type that no loader takes is a fact that says what was expected; a key that is null
    is as one that is left out, but for those whose null loaders take for a value.

    >>> [(f.name, f.value) for f in stated({"eos_token": {"content": "</s>"}}, "x.json")]
    [('eos_token', '</s>'), ('eos_token_flags', {})]
    >>> [f.expected for f in stated({"vocab_size": "many", "suppress_tokens": None}, "x.json")]
    ['a number']
    """
    known = taken_kinds()
    for name, value in data.items():
        place = pointer(*above, name)
        expected = known.get(name, ())
        if value is None and NULL not in expected:
            continue
        if expected and value is not None and not any(_is(value, kind) for kind in expected):
            yield Fact(name, value, file, place, _shown(expected))
        elif name in ROLE_TOKENS:
            yield from _role_token(name, value, file, place)
        elif name == "chat_template":
            yield from _templates(value, file, place)
        elif expected:
            yield Fact(name, value, file, place)


def _shown(expected: Iterable[str]) -> str:
    return " or ".join(SHOWN.get(kind, f"a {kind}") for kind in expected if kind != NULL)


def _is(value: Any, kind: str) -> bool:
    """Return whether a JSON value has a type; true and NaN are not numbers."""
    if not isinstance(value, TYPES[kind]) or (kind != FLAG and isinstance(value, bool)):
        return False
    return not isinstance(value, float | int) or finite(value)


def _role_token(name: str, value: Any, file: str, place: str) -> Iterator[Fact]:
    if isinstance(value, Mapping):
        yield Fact(name, value.get("content"), file, place + "/content")
        flags = {k: v for k, v in value.items() if isinstance(v, bool)}
        yield Fact(f"{name}_flags", flags, file, place)
    else:
        yield Fact(name, value, file, place)


def _templates(value: Any, file: str, place: str) -> Iterator[Fact]:
    """Yield one template, or a list of named ones, with each name as a fact."""
    if isinstance(value, str):
        yield Fact("chat_template", value, file, place)
    elif isinstance(value, list):
        for index, named in enumerate(value):
            if isinstance(named, Mapping) and isinstance(named.get("template"), str):
                where = f"{place}/{index}"
                yield Fact("chat_template", named["template"], file, f"{where}/template")
                if isinstance(named.get("name"), str):
                    yield Fact("chat_template_name", named["name"], file, f"{where}/name")
