"""What a form of data is, and what every form may have next to its messages."""

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


class UnusableRow(ValueError):
    """A row that holds no conversation: what it has, and what to do."""


@dataclass(frozen=True)
class DataForm:
    """One form: the keys that a row of it has, and how its conversations are taken from them.

    `conversations` yields the messages of each, with what tells it from the others of its row.
    `optional` are further keys that it reads.
    """

    name: str
    keys: tuple[str, ...]
    conversations: Callable[[Row], Iterator[tuple[str, Messages]]]
    optional: tuple[str, ...] = ()

    @cached_property
    def known(self) -> frozenset[str]:
        """Every key that it reads."""
        return frozenset((*self.keys, *self.optional))


@cache
def forms() -> tuple[DataForm, ...]:
    """Every form, those with most keys first, since they say most about a row."""
    from tokaudit.runtimes.chat.data import forms as package

    names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    found = [importlib.import_module(f"{package.__name__}.{name}").FORM for name in names]
    return tuple(sorted(found, key=lambda form: -len(form.keys)))


def form_of(row: Row) -> DataForm:
    """The form of a row; raises `UnusableRow` with the keys that are there."""
    for form in forms():
        for key in form.keys:
            if row.get(key) is None:
                break
        else:
            return form
    known = "; ".join(" and ".join(form.keys) for form in forms())
    raise UnusableRow(f"has none of the keys {known}; it has {', '.join(map(str, row)) or 'none'}")


def messages_in(value: Any, key: str) -> list[Any]:
    """A list of messages; a text is refused, because templates are about messages."""
    if isinstance(value, str):
        raise UnusableRow(f"{key!r} is a text; write it as [{{'role': ..., 'content': ...}}]")
    if not isinstance(value, list | tuple):
        raise UnusableRow(f"{key!r} is not a list of messages")
    return list(value)


def parsed(value: Any, key: str) -> Any:
    """A value that may be JSON in a text, as columns of data sets are."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise UnusableRow(f"{key!r} is a text and not JSON: {error}") from error
