"""ShareGPT's form: `conversations` of turns with `from` and `value`, optional `system`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.subject.conversations.row_form import (
    DataForm,
    Messages,
    Row,
    UnusableRow,
    messages_in,
    parsed,
)

ROLES = {
    "human": "user",
    "gpt": "assistant",
    "bing": "assistant",
    "chatgpt": "assistant",
    "model": "assistant",
    "observation": "tool",
    "function_response": "tool",
}
CALLS = ("function_call", "tool_call")


def _conversations(row: Row) -> Iterator[tuple[str, Messages]]:
    turns = messages_in(row["conversations"], "conversations")
    system = row.get("system")
    first = [{"role": "system", "content": system}] if system else []
    yield "", [*first, *map(_message, turns)]


def _message(turn: Any) -> Mapping[str, Any]:
    """Convert a turn to a message; a message stays unchanged."""
    if not isinstance(turn, Mapping):
        raise UnusableRow("a turn of 'conversations' is not an object")
    speaker, value = turn.get("from"), turn.get("value")
    if speaker is None:
        return turn
    if speaker in CALLS:
        call = parsed(value, "value")
        calls = call if isinstance(call, list) else [call]
        functions = [{"type": "function", "function": each} for each in calls]
        return {"role": "assistant", "content": "", "tool_calls": functions}
    return {"role": ROLES.get(speaker, speaker), "content": value}


FORM = DataForm("ShareGPT", ("conversations",), _conversations, ("system",))
