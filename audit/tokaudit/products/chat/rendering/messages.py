"""Convert messages to the form that each dialect passes to templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit.products.chat.rendering.terms import Dialect

REASONING = ("reasoning_content", "thinking", "reasoning")  # the first that is there counts


def as_given(messages: Sequence[Mapping[str, Any]], dialect: Dialect) -> list[dict[str, Any]]:
    """Return the messages as that dialect's templates see them.

    5.x leaves out keys whose value is null, and writes reasoning under the two names that
    templates read; 4.57 changes nothing.

    >>> as_given([{"role": "assistant", "content": None, "reasoning": "x"}], Dialect.TRANSFORMERS_5)
    [{'thinking': 'x', 'role': 'assistant', 'reasoning': 'x', 'reasoning_content': 'x'}]
    """
    if dialect is Dialect.TRANSFORMERS_4:
        return [dict(message) for message in messages]
    return [_with_reasoning(_without_null(message)) for message in messages]


def _without_null(message: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if value is not None}


def _with_reasoning(message: dict[str, Any]) -> dict[str, Any]:
    found = next((message[name] for name in REASONING if name in message), None)
    if found is None:
        return message
    return {"thinking": found, **message, "reasoning_content": found}
