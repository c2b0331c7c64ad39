"""Calls and tools that a template writes as JSON, parsed and compared with the input."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokaudit.products.chat.rendering.grammar.building import CALL, OFFERED, ShapedConversation

DECODER = json.JSONDecoder()
LIST_BEFORE = re.compile(r"\[\s*\Z")
MOST_AROUND = 4  # objects around a name or an argument
NOTHING: tuple[Any, ...] = (None, "", {}, [])
NEAR = 60  # characters of a text that show a fault
OF_NAMES, OF_LISTS = "the name of a call", "a list"


@dataclass(frozen=True, slots=True)
class WrittenValues:
    """The parts of plain conversations written as JSON: arguments, tools, and lists.

    `named` says that the name of the tool comes before the arguments of its call.
    """

    calls: bool = False
    tools: bool = False
    listed_calls: bool = False
    listed_tools: bool = False
    named: bool = False


NOTHING_WRITTEN = WrittenValues()
Shown = tuple[ShapedConversation, str]
"""A conversation and its text."""


def written_values(texts: Sequence[Shown]) -> WrittenValues:
    """Detect how the plainest calls and tools are written."""
    called = [each for each in texts if _calls(each[0]) and each[0].chosen["arguments"] == "words"]
    offered = [each for each in texts if each[0].chosen["tools"] == "described"]
    calls = bool(called) and not any(_other_arguments(*each) for each in called)
    tools = bool(offered) and not any(_other_tools(*each) for each in offered)
    return WrittenValues(
        calls,
        tools,
        calls and all(_list_of_calls(*each) is not None for each in called),
        tools and _list_of_tools(*offered[0]) is not None,
        bool(called) and not any(_misnamed(*each) for each in called),
    )


def miswritten(
    one: ShapedConversation, text: str, habits: WrittenValues
) -> Iterator[tuple[str, str]]:
    """Yield each altered part, with the characters that show it."""
    if habits.calls and (shown := _other_arguments(one, text)):
        yield CALL, shown
    if habits.named and (shown := _misnamed(one, text)):
        yield OF_NAMES, shown
    if habits.tools and (shown := _other_tools(one, text)):
        yield OFFERED, shown
    lists = (
        _list_of_calls(one, text) if habits.listed_calls else "",
        _list_of_tools(one, text) if habits.listed_tools else "",
    )
    if shown := next(filter(None, lists), ""):
        yield OF_LISTS, shown


def _calls(one: ShapedConversation) -> list[Mapping[str, Any]]:
    """Return the called functions, in order."""
    messages = one.given.messages
    return [call["function"] for each in messages for call in each.get("tool_calls") or ()]


def _call_words(one: ShapedConversation) -> list[str]:
    """Return the first word in each call's arguments; none if they are empty."""
    found = (part for part in one.parts if part.role == CALL and part.feature == "arguments")
    return [part.words[0] for part in found]


def _other_arguments(one: ShapedConversation, text: str) -> str:
    """Return the characters in place of altered arguments; "" if all are readable."""
    for call, word in zip(_calls(one), _call_words(one), strict=False):
        given = call["arguments"]
        wanted = json.loads(given) if isinstance(given, str) else given
        found = list(_places(text, word))
        if found and not any(wanted == value for at in found for _, value in _around(text, at)):
            return _near(text, found[-1])
    return ""


def _misnamed(one: ShapedConversation, text: str) -> str:
    """Return the characters before a call's arguments if its tool is not named there."""
    turns = [part for part in one.parts if part.is_turn and part.feature != "amount"]
    said = [word for part in turns for word in part.words]
    for call, word in zip(_calls(one), _call_words(one), strict=False):
        at = text.find(word)
        before = text[: max(at, 0)]
        start = max((before.rfind(each) + len(each) for each in said if each in before), default=0)
        if at >= 0 and call["name"] not in before[start:]:
            return before[start:][-NEAR:]
    return ""


def _other_tools(one: ShapedConversation, text: str) -> str:
    """Return the characters in place of an altered tool; "" if all are readable."""
    for tool in one.given.tools or ():
        at = text.find(json.dumps(tool["function"]["name"]))
        wanted = _told(tool["function"])
        values = [value for _, value in _around(text, at)] if at >= 0 else []
        if not any(_told(value.get("function", value)) == wanted for value in values):
            return _near(text, at) or str(tool["function"]["name"])
    return ""


def _told(given: Any) -> Any:
    """Return a value without null and empty members.

    >>> _told({"name": "f", "description": None, "parameters": {"properties": {}}})
    {'name': 'f'}
    """
    if isinstance(given, list):
        return [_told(each) for each in given]
    if not isinstance(given, Mapping):
        return given
    told = {name: _told(value) for name, value in given.items()}
    return {name: value for name, value in told.items() if value not in NOTHING}


def _list_of_calls(one: ShapedConversation, text: str) -> str | None:
    """Return an unreadable list of calls; "" if it is readable, None without a list."""
    words, calls = _call_words(one), _calls(one)
    named = json.dumps(calls[0]["name"]) if words else ""
    at = text.rfind(named, 0, max(text.find(words[0]), 0)) if words else -1
    firsts = [message.get("tool_calls") for message in one.given.messages]
    count = next((len(calls) for calls in firsts if calls), 0)
    return _list_around(text, at, count) if at >= 0 else None


def _list_of_tools(one: ShapedConversation, text: str) -> str | None:
    """Return an unreadable list of tools; "" if it is readable, None without a list."""
    tools = one.given.tools or ()
    at = text.find(json.dumps(tools[0]["function"]["name"])) if tools else -1
    return _list_around(text, at, len(tools)) if at >= 0 else None


def _list_around(text: str, at: int, count: int) -> str | None:
    for start, _ in _around(text, at):
        if opened := LIST_BEFORE.search(text[:start]):
            found = _decoded(text, opened.start())
            whole = isinstance(found, list) and len(found) == count
            return "" if whole else text[opened.start() :][:NEAR]
    return None


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _around(text: str, at: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON objects around a position, the innermost first."""
    start = text.rfind("{", 0, at)
    for _ in range(MOST_AROUND):
        if start < 0:
            return
        value = _decoded(text, start)
        if isinstance(value, dict):
            yield start, value
        start = text.rfind("{", 0, start)


def _decoded(text: str, start: int) -> Any:
    try:
        return DECODER.raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None


def _near(text: str, at: int) -> str:
    return text[max(at - NEAR // 2, 0) : at + NEAR // 2] if at >= 0 else ""
