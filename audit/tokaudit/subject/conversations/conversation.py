"""The role matrix: built-in conversations that every template is rendered over.

They lie in `conversations.jsonl` next to this file, one a line, in the usual messages form; users
add theirs in the same form.  See `Conversation` for the keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import count
from typing import Any

import msgspec
from msgspec import structs

from tokaudit.foundation.errors import UnreadableError
from tokaudit.foundation.typed_values import read_value

RESERVED = ("messages", "tools", "documents", "add_generation_prompt")


class Conversation(msgspec.Struct, frozen=True):
    """One conversation: `messages` in the usual form, and further inputs of a template.

    `about` says what it tries.  `variables` are further variables of the template, such as
    `enable_thinking`.  With `continue_final` the last message is left open.  `completion_ids` are
    the ids that a model sampled for the last message.  The first `prompted` messages are the prompt
    of a row that has a completion, 0 where no row says so.  Files hold many of these, and a struct
    is made sooner than a dataclass.
    """

    id: str
    messages: tuple[Mapping[str, Any], ...]
    about: str = ""
    tools: tuple[Mapping[str, Any], ...] | None = None
    documents: tuple[Mapping[str, Any], ...] | None = None
    variables: Mapping[str, Any] = msgspec.field(default_factory=dict)
    continue_final: bool = False
    completion_ids: tuple[int, ...] | None = None
    prompted: int = 0

    @property
    def roles(self) -> tuple[str, ...]:
        """Return the role of each message."""
        return tuple([str(message["role"]) for message in self.messages])  # a generator is slower


@cache
def role_matrix() -> tuple[Conversation, ...]:
    """Load the conversations that come with tokaudit.

    >>> role_matrix()[0].id, role_matrix()[0].roles
    ('user', ('user',))
    """
    return _ours("conversations.jsonl")


@cache
def part_conversations() -> tuple[Conversation, ...]:
    """Load conversations in which every part has distinct words to search for.

    >>> [one.id for one in part_conversations() if one.id.startswith("tools")]
    ['tools-none', 'tools-empty', 'tools-two', 'tools-two-system']
    """
    return _ours("parts.jsonl")


def _ours(name: str) -> tuple[Conversation, ...]:
    from importlib.resources import files  # a worker is asked for none

    return read(files(__package__).joinpath(name).read_bytes(), name)


def read(data: bytes, name: str) -> tuple[Conversation, ...]:
    """Parse the conversations of a JSONL file; raise `UnreadableError` with file and line.

    A line without an id is named by its number.

    >>> read(b'{"messages": [{"role": "user", "content": "Hi"}]}', "mine.jsonl")[0].id
    'line 1'
    """
    lines = enumerate(data.split(b"\n"), 1)
    found = tuple(_one(line, name, number) for number, line in lines if line.strip())
    if not found:
        raise UnreadableError(f"{name}: contains no conversation")
    refuse_doubled(found, name)
    return found


def _one(line: bytes, name: str, number: int) -> Conversation:
    place = f"{name}:{number}"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{place}: is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UnreadableError(f"{place}: expected an object with the key 'messages'")
    _refuse_unknown(value, place)
    try:
        conversation = read_value({"id": f"line {number}", **value}, Conversation)
    except msgspec.ValidationError as error:
        raise UnreadableError(f"{place}: {error}") from error
    _refuse_unusable(conversation, place)
    return conversation


def _refuse_unknown(value: Mapping[str, Any], place: str) -> None:
    known = Conversation.__struct_fields__
    for key in value:
        if key not in known:
            raise UnreadableError(f"{place}: unknown key {key!r}; known keys: {', '.join(known)}")


def _refuse_unusable(conversation: Conversation, place: str) -> None:
    if not conversation.messages:
        raise UnreadableError(f"{place}: 'messages' is empty")
    for index, message in enumerate(conversation.messages):
        if not isinstance(message.get("role"), str):
            raise UnreadableError(f"{place}: message {index} has no 'role'")
    for variable in conversation.variables:
        if variable in RESERVED:
            raise UnreadableError(
                f"{place}: 'variables' must not contain the reserved name {variable!r}"
            )


def named_apart(conversations: Iterable[Conversation]) -> tuple[Conversation, ...]:
    """Return the conversations with unique ids, also distinct from built-in ones.

    >>> one = Conversation("developer", ({"role": "user", "content": "Hi"},))
    >>> [each.id for each in named_apart([one, one])]
    ['developer (2)', 'developer (3)']
    """
    taken, found = {one.id for one in (*role_matrix(), *part_conversations())}, []
    for one in conversations:
        numbered = (f"{one.id} ({number})" for number in count(2))
        name = one.id if one.id not in taken else next(id for id in numbered if id not in taken)
        taken.add(name)
        found.append(structs.replace(one, id=name))
    return tuple(found)


def refuse_doubled(conversations: Iterable[Conversation], name: str) -> None:
    """Raise `UnreadableError` if two conversations have the same id."""
    seen: set[str] = set()
    for one in conversations:
        if one.id in seen:
            raise UnreadableError(f"{name}: two conversations have the id {one.id!r}")
        seen.add(one.id)
