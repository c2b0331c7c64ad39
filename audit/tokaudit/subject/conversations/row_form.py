"""Forms of data rows, and the fields that every form may have next to its messages."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

Row = Mapping[str, Any]
Messages = Sequence[Any]


SHAPE = '[{"role": "user", "content": "..."}]'
KINDS = {
    dict: "an object",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
}


class UnusableRow(ValueError):
    """Raised for a row without a conversation, with its content and a remedy."""


@dataclass(frozen=True)
class DataForm:
    """One form: the keys of its rows, and how to take conversations from them.

    `conversations` yields the messages of each, with what tells it from the others of its row.
    `optional` are further keys that it reads.  `prompt` is the key of messages before a completion.
    """

    name: str
    keys: tuple[str, ...]
    conversations: Callable[[Row], Iterator[tuple[str, Messages]]]
    optional: tuple[str, ...] = ()
    prompt: str = ""

    @cached_property
    def known(self) -> frozenset[str]:
        """Return every key that the form reads."""
        return frozenset((*self.keys, *self.optional))


@cache
def forms() -> tuple[DataForm, ...]:
    """Return every form; those with most keys come first, as they are most specific."""
    from tokaudit.subject.conversations import forms as package

    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    found = [importlib.import_module(f"{package.__name__}.{name}").FORM for name in names]
    return tuple(sorted(found, key=lambda form: -len(form.keys)))


def form_of(row: Row) -> DataForm:
    """Return the form of a row; raise `UnusableRow` with the row's keys."""
    for form in forms():
        for key in form.keys:
            if row.get(key) is None:
                break
        else:
            return form
    known = "; ".join(" and ".join(form.keys) for form in forms())
    has = ", ".join(map(str, row)) or "none"
    todo = "rename the key of the conversation to one of these keys"
    raise UnusableRow(f"has none of the keys {known}; its keys are {has}; {todo}")


def messages_in(value: Any, key: str) -> list[Any]:
    """Return a list of messages, or parse one from JSON text; refuse plain text.

    >>> messages_in('[{"role": "user", "content": "Hi"}]', "messages")[0]["role"]
    'user'
    """
    if isinstance(value, str):
        value = _from_text(value, key)
    if not isinstance(value, list | tuple):
        raise UnusableRow(
            f"{key!r} is {_kind(value)} and not a list of messages; write it as {SHAPE}"
        )
    return list(value)


def _from_text(text: str, key: str) -> Any:
    """Parse JSON text, as in columns of data sets."""
    if not text.lstrip().startswith(("[", "{")):
        raise UnusableRow(f"{key!r} is a text; write it as {SHAPE}")
    return parsed(text, key)


def _kind(value: Any) -> str:
    return KINDS.get(type(value), "a value")


def parsed(value: Any, key: str) -> Any:
    """Parse a value that may be JSON text, as in columns of data sets."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        what = f"{key!r} is a text and not JSON: {error}; write it with json.dumps"
        raise UnusableRow(what) from error
