"""Turns that a chat template writes twice, with other white space, or under another role."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_suites.chat_template._frames import MARKER
from tokaudit_suites.chat_template._parts import (
    ANSWER,
    FIRST_ANSWER,
    QUESTION,
    SECOND_QUESTION,
    part_finding,
)
from tokaudit_suites.chat_template._turn_frames import framed_otherwise
from tokaudit_suites.shared.rendered_chats import (
    altered,
    is_changed,
    is_plain,
    named,
    place_of,
    plain_chat,
    shown,
    whole_text,
    without_space,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.wording import plural, quote

NAMES = {
    "system": ("system", "developer"),
    "user": ("user", "human", "question", "instruction", "prompt"),
    "assistant": ("assistant", "bot", "model", "gpt", "answer", "response"),
}
"""Names of each role in templates; a header with the right role's name counts as right."""
ENDED = re.compile(r"/\w+")  # `[/SYSTEM_PROMPT]` names the role that has ended
SHORTEST = 9  # characters; a template may write "Hello." or "Yes." for reasons of its makers
TWICE, SPACED, ANOTHER, CHANGED = (
    "writes a turn twice",
    "changes white space inside a turn",
    "opens a turn as another role's",
    "changes the characters of a turn",
)
IN_WORDS = {ANOTHER: "writes turns under the header of another role"}
MARKED = {
    "marks": {"user": 'Is "it" & José\'s 雪 here?', "assistant": "So \"be\" & it's Zoë's 雨."},
    "marks-system": {"system": 'Tie "it" & don\'t slip, André 川.'},
}
FOLLOWS = re.compile(rf"\s*({MARKER.pattern}|\S+)")
LINES = "Reeds.\n\nRushes."
PLACEHOLDER = re.compile(r"(?<![{\w$\\])\{[a-z]+(?:_[a-z]+)*\}(?!\})")
FILLED_IN = {"{role}", "{content}", "{message}", "{system_message}", "{system_prompt}", "{system}"}
"""What formats of Python and the tools of trainers fill in, and Jinja leaves as it is."""


@check(
    "chat_template/turns",
    title="Each turn is rendered once, verbatim, by role",
    why="If the template writes a user's question under the system header, the model obeys the "
    "question like a system message. If the template writes a turn twice, a trainer teaches the "
    "model two turns; if the template joins lines, code in a message changes.",
    remedy="In the chat template, write `message.content` once for each message, under the header "
    "of `message.role`.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="System messages that were written under another role's name, so that templates "
    "dropped or refused them (floneum/kalosm #451).",
)
def turns(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[Finding]:
    """Check each turn of every conversation that consists of words alone."""
    pairs = list(zip(renderings.usable, parts.all, strict=True))
    spaced, changed = set(), set()
    judged = [one for one, _ in pairs if plain_chat(one) or is_changed(one)]
    if not judged:
        raise NotApplicable("no chat template renders a plain chat")
    for one in judged:
        found: dict[str, list[tuple[Conversation, int]]] = {}
        for conversation in filter(is_plain, renderings.conversations):
            for message, fault in _faults(one, conversation):
                found.setdefault(fault, []).append((conversation, message))
        if SPACED in found:
            spaced.add(one.template)
        if CHANGED in found:
            changed.add(one.template)
        for fault, places in found.items():
            yield _finding(one, fault, places)
    for part in (part for one, part in pairs if plain_chat(one)):
        yield from _spaced_answers(part)
        if part.template not in changed:
            yield from _other_marks(part)
        if part.template not in spaced:
            yield from _joined_lines(part)
        yield from _repeated(part)
        yield from _placeholder(part)
        yield from framed_otherwise(part)


def _faults(one: ChatRendering, conversation: Conversation) -> Iterator[tuple[int, str]]:
    """Yield the messages that are written incorrectly, with the fault."""
    text = whole_text(one, conversation)
    end = 0
    for index, message in enumerate(conversation.messages):
        said = str(message["content"]).strip()
        at = text.find(said, end) if said else -1
        if at < 0:
            if said not in text and without_space(said) in without_space(text):
                yield index, SPACED
            elif altered(said, text):
                yield index, CHANGED
            return  # where the next one begins is not known
        if index and _of_another(text[end:at], conversation.roles[index]):
            yield index, ANOTHER
        end = at + len(said)
        if len(said) >= SHORTEST and text.count(said) > _times_said(said, conversation):
            yield index, TWICE


def _of_another(opening: str, role: str) -> bool:
    """Return whether the text between two messages names another role than the second's."""
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
        f"{named(one.template)} {IN_WORDS.get(fault, fault)}: for example, the {role} message "
        f"{said!r} in the test conversation {conversation.id!r} ({plural(len(places), 'message')} "
        "in all).",
        (place_of(one.template),),
        (shown(conversation.id, text),),
        cause=fault,
    )


def _spaced_answers(one: PartRendering) -> Iterator[Finding]:
    """Report a space directly after an answer, which no model writes before it stops."""
    found = one.plain("answers")
    after = (found.text.partition(words)[2] for words in (FIRST_ANSWER, ANSWER))
    for rest in (rest for rest in after if found.ok and rest.startswith(" ")):
        follows = FOLLOWS.match(rest)
        before = f"before {quote(follows[1])}" if follows else "that nothing follows"
        said = ("space before the end", f"writes a space after an answer {before}")
        remedy = "In the chat template, write the end of the turn directly after `message.content`."
        yield part_finding(one, Severity.WARNING, said, ("answers", found), remedy)
        return


def _other_marks(one: PartRendering) -> Iterator[Finding]:
    """Report changed quotes, ampersands and non-ASCII letters in each role's words."""
    for id, roles in MARKED.items():
        found = one.plain(id)
        for role, said in roles.items():
            if found.ok and altered(said, found.text):
                what = f"{CHANGED} of the {role}: {said!r} is not in the prompt as it was given"
                yield part_finding(one, Severity.ERROR, (CHANGED, what), (id, found))
                return


def _joined_lines(one: PartRendering) -> Iterator[Finding]:
    """Report blank lines that are lost from contents in a chat without a system message."""
    found = one.plain("answers-lines")
    joined = "".join(LINES.split()) in "".join(found.text.split())
    if found.ok and LINES not in found.text and joined:
        said = ("blank lines", "drops blank lines inside of what was said")
        yield part_finding(one, Severity.WARNING, said, ("answers-lines", found))


def _repeated(one: PartRendering) -> Iterator[Finding]:
    """Report a repeated question that a template, by comparing texts, confuses with the first."""
    other, found = one.plain("answers"), one.plain("answers-repeated")
    if not (other.ok and found.ok) or QUESTION not in other.text:
        return
    if found.text != other.text.replace(QUESTION, SECOND_QUESTION):
        said = (
            "repeated words",
            "writes a question differently if a later question has the same words",
        )
        remedy = "Compare positions in the list (`loop.index0`), not messages or their text."
        shows = ("answers-repeated", found)
        yield part_finding(one, Severity.WARNING, said, shows, remedy, (("answers", other),))


def _placeholder(one: PartRendering) -> Iterator[Finding]:
    """Report an unfilled placeholder in braces; prose about a format uses other names."""
    for id in ("answers", "answers-system"):
        found = one.prompted(id, 1)
        left = [each for each in PLACEHOLDER.findall(found.text) if each in FILLED_IN]
        if found.ok and left:
            what = f"writes the placeholder {left[0]} without filling it in"
            yield part_finding(one, Severity.WARNING, ("placeholder", what), (id, found))
            return
