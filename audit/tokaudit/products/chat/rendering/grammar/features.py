"""Features of clients' conversations, each with its values, the plainest first.

The values are those that the message schemas of OpenAI's API and of transformers accept.  A feature
that the speakers leave no room for has the value `NONE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

NONE = ""
Choice = Mapping[str, str]
"""A value for each feature, or for some of them."""

_CALLED = {"beginning": "q", "calls": "c r", "ending": "a", "tools": "described"}
ROOM_OF_AMOUNTS: Mapping[str, Choice] = MappingProxyType(
    {
        "many turns": {"beginning": "q a q", "calls": "none", "ending": "a", "tools": "absent"},
        "long texts": _CALLED,
        "many tools": _CALLED,
        "many parameters": _CALLED,
        "many calls": {**_CALLED, "calls": "cc rr", "tools": "two tools"},
        "names of clients": {**_CALLED, "tools": "two tools"},
        "long ids": _CALLED,
    }
)
"""More of one thing than a polite conversation has, and the one conversation that has it.

Its other values are the plainest: pairs of these would say nothing more.
"""
TEXTS = ("text", "parts", "two parts", "marks", "script", "lines", "spaces", "empty")
FEATURES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "beginning": ("q", "q a q", "q q", "a q", "s"),
        "calls": ("none", "c r", "c", "cc rr", "cc rr-", "c r c r", "cc rr cc rr", "a c r"),
        "ending": ("none", "a", "q", "a q a", "a a", "a+"),
        "instructions": (
            *("none", "system", "system parts", "system lines", "system empty", "two systems"),
            *("system later", "developer"),
        ),
        "tools": (
            *("absent", "described", "empty list", "without description", "null description"),
            *("without parameters", "empty parameters", "enum", "nested", "reference"),
            *("two tools", "script"),
        ),
        "question": (*TEXTS, "one space", "picture", "pasted"),
        "answer": TEXTS,
        "call content": ("empty", "null", "absent", "text", "parts"),
        "arguments": ("words", "literals", "nested", "empty", "marks", "script"),
        "arguments form": ("mapping", "JSON text"),
        "result": ("text", "parts", "mapping", "JSON text", "marks", "script", "empty", "pasted"),
        "result name": ("given", "absent", "null"),
        "call id": ("given", "absent"),
        "reasoning": (
            *("none", "reasoning_content", "reasoning", "thinking", "null", "empty", "parts"),
            "in the content",
        ),
        "thinking": ("unset", "on", "off"),
        "documents": ("absent", "two"),
        "calls of an answer": ("absent", "empty list", "null"),
        "amount": ("few", *ROOM_OF_AMOUNTS),
    }
)
"""Every feature with its values.

Speakers are q (a question), a (an answer; a+ is to be continued), c (a call; cc are two in one
message), r (a result; rr- are two in the other order) and s (instructions alone).
"""

SPEAKERS = ("beginning", "calls", "ending")
OF_CALLS = ("call content", "arguments", "arguments form", "call id")
OF_RESULTS = ("result", "result name")
SPEAKER_OF = {
    **dict.fromkeys(OF_CALLS, "c"),
    **dict.fromkeys(OF_RESULTS, "r"),
    "answer": "a",
    "calls of an answer": "a",
    "reasoning": "ac",
    "question": "q",
}
"""The speakers of whom one has to speak for a feature to have room."""
SWITCHES = ("enable_thinking", "thinking", "preserve_thinking")
"""The variables that templates read, all of them switched together."""
PLAIN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "beginning": ("q", "q a q"),
        "calls": ("none", "c r", "c"),
        "ending": ("none", "a", "a q a"),
        "instructions": ("none", "system"),
        "tools": ("absent", "described", "two tools"),
        "question": ("text", "marks", "script", "lines"),
        "answer": ("text", "marks", "script", "lines"),
        "call content": ("empty",),
        "arguments": ("words", "literals", "nested", "marks", "script"),
        "arguments form": ("mapping",),
        "result": ("text", "JSON text", "marks", "script"),
        "result name": ("given",),
        "call id": ("given",),
        "reasoning": ("none",),
        "thinking": ("unset",),
        "documents": ("absent",),
        "calls of an answer": ("absent",),
        "amount": ("few",),
    }
)
"""The values that no template may fail on: texts, described tools, mappings."""


def speakers(chosen: Choice) -> str:
    """Return the chosen speakers in order.

    >>> speakers({"beginning": "q a q", "calls": "none", "ending": "a"})
    'q a q a'
    """
    said = [chosen.get(feature, "none") for feature in SPEAKERS]
    return " ".join(each for each in said if each != "none")


def allowed(chosen: Choice) -> bool:
    """Return whether a conversation may have these values; unchosen ones are open.

    >>> allowed({"calls": "c", "ending": "q"}), allowed({"calls": "c", "ending": "none"})
    (False, True)
    """
    told = all(feature in chosen for feature in SPEAKERS)
    rooms = ((feature, has_room(feature, chosen)) for feature in chosen)
    # Demand that a feature has a value exactly where the chat has room for it.
    if any(room is not None and room == (chosen[feature] == NONE) for feature, room in rooms):
        return False
    alone = chosen.get("beginning") == "s"
    # Refuse turns after a system message that is to stand alone.
    if alone and not {chosen.get("calls", "none"), chosen.get("ending", "none")} <= {"none"}:
        return False
    # Demand words of it, as the chat has no others.
    if alone and chosen.get("instructions", "system") not in (
        "system",
        "system parts",
        "developer",
    ):
        return False
    # End the chat at a call that gets no result.
    if chosen.get("calls") == "c" and chosen.get("ending", "none") != "none":
        return False
    if told and chosen["ending"] == "q" and chosen["calls"] == "none":
        return False  # two questions in a row are a beginning
    # Begin with an answered question, after which a later system message has its place.
    if chosen.get("instructions") == "system later" and chosen.get("beginning", "q a q") != "q a q":
        return False
    # Refuse to continue an answer that has no words.
    if chosen.get("ending") == "a+" and chosen.get("answer") == "empty":
        return False
    if not _is_room_of_amount(chosen):
        return False
    inside = chosen.get("reasoning") in ("in the content", "parts")
    return not inside or chosen.get("answer", "text") in ("text", NONE)


def _is_room_of_amount(chosen: Choice) -> bool:
    """Return whether the choice fits the fixed conversation for large amounts."""
    room = ROOM_OF_AMOUNTS.get(chosen.get("amount", ""))
    if room is None:
        return True
    wanted = {**plainest(), **room}
    return all(value in (wanted[name], NONE) for name, value in chosen.items() if name != "amount")


def has_room(feature: str, chosen: Choice) -> bool | None:
    """Return whether the speakers allow a feature; None if not chosen yet.

    >>> has_room("result", {"calls": "c r"}), has_room("result", {"calls": "c"})
    (True, False)
    """
    if feature not in SPEAKER_OF or _speaks(feature, speakers(chosen)):
        return True
    needed, told = SPEAKER_OF[feature], all(each in chosen for each in SPEAKERS)
    return False if told or (needed in "cr" and "calls" in chosen) else None


def with_room(chosen: Choice) -> dict[str, str]:
    """Return a complete choice without values that its speakers do not allow.

    >>> with_room({**plainest(), "result": "parts"})["result"]
    ''
    """
    order = speakers(chosen)
    return {name: value if _speaks(name, order) else NONE for name, value in chosen.items()}


def _speaks(feature: str, order: str) -> bool:
    """Return whether one of a feature's speakers has a turn."""
    return feature not in SPEAKER_OF or any(each in order for each in SPEAKER_OF[feature])


@cache
def plainest() -> Choice:
    """Return the first value of each feature."""
    return {feature: values[0] for feature, values in FEATURES.items()}


def is_plain(chosen: Choice) -> bool:
    """Return whether a conversation is in transformers' own form.

    >>> is_plain({**plainest(), "calls": "c r", "tools": "described"})
    True
    >>> is_plain({**plainest(), "tools": "without description"})
    False
    """
    offered = chosen["calls"] == "none" or chosen["tools"] in ("described", "two tools")
    return offered and all(chosen.get(name, NONE) in (*PLAIN[name], NONE) for name in FEATURES)
