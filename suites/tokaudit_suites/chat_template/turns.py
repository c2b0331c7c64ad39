"""Turns that a chat template writes twice, with other white space, or under another role."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.engine.chat import ChatRendering, ChatRenderings
from tokaudit.engine.chat_parts import PartRenderings
from tokaudit.engine.check import check
from tokaudit.report.model import Basis, Finding, Harm, Severity
from tokaudit.runtimes.chat.conversations import Conversation
from tokaudit_suites.chat_template._parts import with_parts
from tokaudit_suites.chat_template._turn_ends import (
    joined_lines,
    spaced_answers,
    unended_system,
)
from tokaudit_suites.shared.rendered_chats import (
    is_plain,
    named,
    place_of,
    shown,
    whole_text,
    with_plain_chat,
    without_space,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.wording import plural

NAMES = {
    "system": ("system", "developer"),
    "user": ("user", "human", "question", "instruction", "prompt"),
    "assistant": ("assistant", "bot", "model", "gpt", "answer", "response"),
}
"""What templates call each role; a header with a name of the right role is taken for right."""
ENDED = re.compile(r"/\w+")  # `[/SYSTEM_PROMPT]` names the role that has ended
SHORTEST = 9  # characters; a template may write "Hello." or "Yes." for reasons of its makers
TWICE, SPACED, ANOTHER = (
    "writes a turn twice",
    "changes white space inside a turn",
    "opens a turn as another role's",
)


@check(
    "chat_template/turns",
    title="Each turn is written once, as it was said, under its own role",
    why="A question under the system's header is obeyed as the system's, a turn that is written "
    "twice is learned twice, and code whose lines are joined is other code.",
    remedy="Write `message.content` once for each message, under the header of `message.role`.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="System messages that were written under another role's name, so that templates "
    "dropped or refused them (floneum/kalosm #451).",
)
def turns(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[Finding]:
    """Look at each turn of every conversation of words alone."""
    spaced = set()
    for one in with_plain_chat(renderings):
        found: dict[str, list[tuple[Conversation, int]]] = {}
        for conversation in filter(is_plain, renderings.conversations):
            for message, fault in _faults(one, conversation):
                found.setdefault(fault, []).append((conversation, message))
        if SPACED in found:
            spaced.add(one.template)
        for fault, places in found.items():
            yield _finding(one, fault, places)
    for part in with_parts(renderings, parts):
        yield from spaced_answers(part)
        if part.template not in spaced:
            yield from joined_lines(part)
        yield from unended_system(part)


def _faults(one: ChatRendering, conversation: Conversation) -> Iterator[tuple[int, str]]:
    """The messages that are not written as they should be, each with what is wrong."""
    text = whole_text(one, conversation)
    behind = 0
    for index, message in enumerate(conversation.messages):
        said = str(message["content"]).strip()
        at = text.find(said, behind) if said else -1
        if at < 0:
            if said not in text and without_space(said) in without_space(text):
                yield index, SPACED
            return  # where the next one begins is not known
        if index and _of_another(text[behind:at], conversation.roles[index]):
            yield index, ANOTHER
        behind = at + len(said)
        if len(said) >= SHORTEST and text.count(said) > _times_said(said, conversation):
            yield index, TWICE


def _of_another(opening: str, role: str) -> bool:
    """Whether what is between two messages names another role, and not that of the second."""
    begun = ENDED.sub("", opening).lower()
    others = (other for other in NAMES if other != role)
    return not _has(begun, NAMES[role]) and any(_has(begun, (other,)) for other in others)


def _has(text: str, names: tuple[str, ...]) -> bool:
    return any(name in text for name in names)


def _times_said(said: str, conversation: Conversation) -> int:
    return sum(str(message["content"]).count(said) for message in conversation.messages)


def _finding(one: ChatRendering, fault: str, places: list[tuple[Conversation, int]]) -> Finding:
    conversation, index = min(places, key=lambda place: len(place[0].messages))
    role, said = conversation.roles[index], str(conversation.messages[index]["content"]).strip()
    text = whole_text(one, conversation)
    return Finding(
        Severity.WARNING if fault == SPACED else Severity.ERROR,
        f"{named(one.template)} {fault}: in the conversation {conversation.id}, {said!r} of the "
        f"{role}; so in {plural(len(places), 'message')} of the conversations tried.",
        (place_of(one.template),),
        (shown(conversation.id, text),),
        cause=fault,
    )
