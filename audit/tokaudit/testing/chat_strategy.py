"""Draw conversations that break chat templates: odd contents, tool calls."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tokaudit.testing.text_strategy import fragile_parts

Message = dict[str, Any]
MOST_TURNS = 4


def conversations_of(system: bool, tools: bool) -> SearchStrategy[list[Message]]:
    """Return turns of user and assistant; the last assistant may be missing."""
    content = st.lists(st.one_of(fragile_parts()), max_size=4).map("".join)
    user = _message("user", content)
    plain = st.tuples(_message("assistant", content))
    answers = st.one_of(plain, _tool_use(content)) if tools else plain
    turn = st.builds(lambda asked, answer: [asked, *answer], user, answers)
    before = st.lists(_message("system", content), max_size=1 if system else 0)
    turns = st.lists(turn, max_size=MOST_TURNS)
    return st.builds(_joined, before, turns, user, st.booleans())


def _joined(
    before: list[Message], turns: list[list[Message]], last: Message, open_end: bool
) -> list[Message]:
    """Join one conversation, with at least one user message."""
    messages = [*before, *(message for turn in turns for message in turn)]
    return [*messages, last] if open_end or not turns else messages


def _message(role: str, content: SearchStrategy[str]) -> SearchStrategy[Message]:
    return content.map(lambda text: {"role": role, "content": text})


def _tool_use(content: SearchStrategy[str]) -> SearchStrategy[tuple[Message, ...]]:
    """Return a call without words, its result, and an answer to it."""
    return st.builds(
        lambda argument, result, answer: (_call(argument), _result(result), answer),
        content,
        content,
        _message("assistant", content),
    )


def _call(argument: str) -> Message:
    function = {"name": "look_up", "arguments": {"what": argument}}
    call = {"id": "call00001", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _result(content: str) -> Message:
    return {"role": "tool", "tool_call_id": "call00001", "name": "look_up", "content": content}
