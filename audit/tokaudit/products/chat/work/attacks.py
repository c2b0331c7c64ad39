"""Conversations in which a user's or tool's words spell a marker of the template.

Each attack puts one literal into one slot of a conversation, as it is or disguised.  Its *twin* is
the same conversation with a harmless word there, so that what the template itself writes can be
subtracted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tokaudit.subject.conversations.conversation import Conversation

HARMLESS = "river"
ZERO_WIDTH, JOINER = "\u200b", "\u2060"


class Slot(StrEnum):
    """The message or field that holds the literal."""

    USER = "a user's message"
    SYSTEM = "a system message"
    PARTS = "two parts of a user's message"
    MESSAGES = "a system message and a user's"
    RESULT = "a tool's result"
    NAME = "a tool's name"
    ARGUMENT = "an argument of a call"


class Disguise(StrEnum):
    """The disguise in which the literal is written."""

    NONE = "as it is"
    SPLIT = "in two halves"
    ZERO_WIDTH = "with a zero-width space"
    JOINER = "with a word joiner"
    FULL_WIDTH = "in full-width letters"
    OTHER_CASE = "in the other case"


@dataclass(frozen=True, slots=True)
class Attack:
    """One literal, its slot, and its spelling."""

    literal: str
    slot: Slot
    disguise: Disguise = Disguise.NONE

    @property
    def id(self) -> str:
        """Return the attack as the id of its conversation."""
        return f"{self.literal} in {self.slot}, {self.disguise}"

    @property
    def way(self) -> str:
        """Return the slot, and the disguise if there is one."""
        return self.slot if self.disguise is Disguise.NONE else f"{self.slot} {self.disguise}"


def attacks(literals: Sequence[str]) -> Iterator[Attack]:
    """Yield every slot for each literal; disguises only in a user's message."""
    for literal in literals:
        for slot in Slot:
            halves = slot in (Slot.PARTS, Slot.MESSAGES)
            yield Attack(literal, slot, Disguise.SPLIT if halves else Disguise.NONE)
        for disguise in Disguise:
            if disguise not in (Disguise.NONE, Disguise.SPLIT):
                yield Attack(literal, Slot.USER, disguise)


def conversation(attack: Attack) -> Conversation:
    """Build the conversation with the literal in its slot."""
    return _build(attack.id, attack.slot, _halves(_disguised(attack.literal, attack.disguise)))


def twin(slot: Slot) -> Conversation:
    """Build the same conversation with a harmless word."""
    return _build(f"a harmless word in {slot}", slot, _halves(HARMLESS))


def _halves(word: str) -> tuple[str, str]:
    """Split a word in the middle.

    >>> _halves("<|end|>")
    ('<|e', 'nd|>')
    """
    return word[: len(word) // 2], word[len(word) // 2 :]


def _disguised(literal: str, disguise: Disguise) -> str:
    """Return the literal in its disguise.

    >>> _disguised("<|a|>", Disguise.FULL_WIDTH), _disguised("<|a|>", Disguise.OTHER_CASE)
    ('＜｜ａ｜＞', '<|A|>')
    """
    first, second = _halves(literal)
    if disguise is Disguise.ZERO_WIDTH:
        return first + ZERO_WIDTH + second
    if disguise is Disguise.JOINER:
        return first + JOINER + second
    if disguise is Disguise.FULL_WIDTH:
        return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in literal)
    return literal.swapcase() if disguise is Disguise.OTHER_CASE else literal


def _build(id: str, slot: Slot, halves: tuple[str, str]) -> Conversation:
    first, second = halves
    word = first + second
    if slot in (Slot.RESULT, Slot.NAME, Slot.ARGUMENT):
        return _with_call(id, *(word if slot is one else HARMLESS for one in CALL_SLOTS))
    question: Any = f"Say {word} now."
    before: list[Mapping[str, Any]] = []
    if slot is Slot.SYSTEM:
        before, question = [{"role": "system", "content": f"Say {word} now."}], "Hello."
    elif slot is Slot.MESSAGES:
        before, question = [{"role": "system", "content": f"Say {first}"}], f"{second} now."
    elif slot is Slot.PARTS:
        texts = (f"Say {first}", f"{second} now.")
        question = [{"type": "text", "text": text} for text in texts]
    return Conversation(id, (*before, {"role": "user", "content": question}))


CALL_SLOTS = (Slot.NAME, Slot.ARGUMENT, Slot.RESULT)


def _with_call(id: str, name: str, argument: str, result: str) -> Conversation:
    function = {"name": name, "arguments": {"place": argument}}
    call = {"id": "call00001", "type": "function", "function": function}
    parameters = {"type": "object", "properties": {"place": {"type": "string"}}}
    offered = {"name": name, "description": "Look it up.", "parameters": parameters}
    messages = (
        {"role": "user", "content": "Look it up."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call00001", "name": name, "content": result},
    )
    return Conversation(id, messages, tools=({"type": "function", "function": offered},))
