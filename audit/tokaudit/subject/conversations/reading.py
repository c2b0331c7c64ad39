"""Read conversations from a data file, and count ignored parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.conversations.conversation import RESERVED, Conversation
from tokaudit.subject.conversations.row_form import (
    SHAPE,
    DataForm,
    Messages,
    UnusableRow,
    form_of,
    messages_in,
    parsed,
)
from tokaudit.subject.conversations.rows import rows

EXAMPLE = f'{{"messages": {SHAPE}}}'
KNOWN = frozenset(
    (
        *("id", "about", "tools", "documents", "variables", "chat_template_kwargs"),
        *("continue_final", "completion_ids"),
    )
)


@dataclass
class ChatData:
    """A file of conversations; ignored parts are counted while it is read."""

    path: Path
    ignored: Counter[str] = field(default_factory=Counter)
    _of_keys: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = field(default_factory=dict)

    def conversations(self) -> Iterator[Conversation]:
        """Yield each conversation, named by its id or position; raise `UnreadableError`."""
        empty = True
        for place, value in rows(self.path):
            empty = False
            try:
                yield from self._of(place, value)
            except UnusableRow as error:
                raise UnreadableError(f"{self.path}: {place}: {error}") from error
        if empty:
            raise UnreadableError(f"{self.path}: contains no conversation")

    def _of(self, place: str, value: Any) -> Iterator[Conversation]:
        row = {"messages": value} if isinstance(value, list) else value
        if not isinstance(row, dict):
            raise UnusableRow(f"expected an object with the key 'messages', such as {EXAMPLE}")
        form = form_of(row)
        for key in self._unread(form, tuple(row)):
            self.ignored[key] += 1
        id = str(row.get("id") or place)
        more = {} if KNOWN.isdisjoint(row) else _more(row)
        if form.prompt:
            more["prompted"] = len(messages_in(row[form.prompt], form.prompt))
        for name, messages in form.conversations(row):
            _refuse_unusable(messages)
            yield Conversation(f"{id} {name}" if name else id, tuple(messages), **more)

    def _unread(self, form: DataForm, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys of a row that no template uses; rows mostly have the same keys."""
        if (form.name, keys) not in self._of_keys:
            self._of_keys[form.name, keys] = tuple({*keys} - form.known - KNOWN)
        return self._of_keys[form.name, keys]


def _more(row: Mapping[str, Any]) -> dict[str, Any]:
    """Read a row's fields next to its messages; raise `UnusableRow` for a wrong type."""
    variables: dict[str, Any] = {}
    for key in ("chat_template_kwargs", "variables"):
        given = parsed(row.get(key) or {}, key)
        if not isinstance(given, Mapping):
            raise UnusableRow(f'{key!r} is not an object, such as {{"enable_thinking": false}}')
        variables |= given
    for variable in variables:
        if variable in RESERVED:
            what = (
                f"'variables' must not contain the reserved name {variable!r}; write the key "
                f"{variable!r} next to 'messages'"
            )
            raise UnusableRow(what)
    return {
        "about": str(row.get("about") or ""),
        "tools": _listed(row, "tools"),
        "documents": _listed(row, "documents"),
        "variables": variables,
        "continue_final": row.get("continue_final") is True,
        "completion_ids": _ids(row.get("completion_ids")),
    }


def _ids(value: Any) -> tuple[int, ...] | None:
    """Return the sampled ids of the last message, if a row has them."""
    found = parsed(value, "completion_ids")
    if found is None:
        return None
    if not isinstance(found, list) or not all(type(each) is int for each in found):
        raise UnusableRow("'completion_ids' is not a list of integers; leave it out")
    return tuple(found)


def _listed(row: Mapping[str, Any], key: str) -> tuple[Mapping[str, Any], ...] | None:
    """Return a list next to the messages, which data sets may store as JSON text."""
    value = row.get(key)
    if value is None or value == "":
        return None
    found = parsed(value, key)
    listed = [found] if isinstance(found, Mapping) else found
    if not isinstance(listed, list | tuple) or not all(isinstance(one, Mapping) for one in listed):
        raise UnusableRow(f"{key!r} is not a list of objects; leave it out where there are none")
    return tuple(listed)


def _refuse_unusable(messages: Messages) -> None:
    if not messages:
        raise UnusableRow("'messages' is empty; leave the row out")
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            raise UnusableRow(f"message {index} is not an object; write each as in {SHAPE}")
        if not isinstance(message.get("role"), str):
            raise UnusableRow(f"message {index} has no 'role'; say who wrote it, as in {SHAPE}")
