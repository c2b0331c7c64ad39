"""Find the characters of a text that depend on one message's words.

The words that are put in are of a private use character, which no template compares with and no
message holds, so that the first and the last character that change are the message's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tokaudit.products.chat.rendering.messages import REASONING

OTHER = "\ue00f\ue00f"
SAID = ("content", *REASONING)
Extent = tuple[int, int]


def in_other_words(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the message with all its words replaced; None if it has none.

    >>> in_other_words({"role": "user", "content": "Hi"})["content"] == OTHER
    True
    """
    changed = {key: _other(message[key]) for key in SAID if message.get(key)}
    if message.get("tool_calls"):
        changed["tool_calls"] = [_other_call(call) for call in message["tool_calls"]]
    return {**message, **changed} if changed else None


def _other_call(call: Any) -> Any:
    """Replace the arguments of a call, or its function if there are none."""
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        return call
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        return {**call, "function": {**function, "arguments": json.dumps({OTHER: OTHER})}}
    if not arguments:
        return {**call, "function": {**function, "name": OTHER}}
    return {**call, "function": {**function, "arguments": _other(arguments)}}


def _other(value: Any) -> Any:
    if isinstance(value, str):
        return OTHER
    if isinstance(value, Mapping):
        return {key: value[key] if key == "type" else _other(value[key]) for key in value}
    if isinstance(value, list | tuple):
        return [_other(each) for each in value]
    return value


def changed_extent(text: str, other: str) -> Extent | None:
    """Return the half-open span in which two texts differ; None if they are equal.

    >>> changed_extent("<u>Hello.<end>", "<u>other<end>")
    (3, 9)
    """
    if text == other:
        return None
    least = min(len(text), len(other))
    start = next((i for i in range(least) if text[i] != other[i]), least)
    most = least - start
    kept = next((i for i in range(most) if text[-1 - i] != other[-1 - i]), most)
    return start, len(text) - kept
