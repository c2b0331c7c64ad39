"""Faults of one rendered conversation of the grammar, by the words of its parts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise

from tokaudit.products.chat.rendering.grammar.building import (
    CALL,
    DOCUMENT,
    FALSY,
    KEYED,
    NAMED,
    NAMED_PARAMETER,
    NULL,
    OFFERED,
    REASONING,
    Part,
    ShapedConversation,
)
from tokaudit.products.chat.rendering.grammar.features import is_plain
from tokaudit.products.chat.rendering.rendering import Rendering, Trouble
from tokaudit.products.chat.work.shapes.frames import NO_FRAME, Break, Frame, frame_of, gaps
from tokaudit.products.chat.work.shapes.parsers import CallFormat, formats_of, misread
from tokaudit.products.chat.work.shapes.values import (
    NOTHING_WRITTEN,
    WrittenValues,
    miswritten,
    written_values,
)

PYTHON = re.compile(r"\b(?:True|False|None)\b")
MOST_TOLD = 100  # characters of an error that tell it from others
MOST_CUT = 3  # letters of a drawn word, which has at least six
NEAR = 60  # characters between the name of an argument and its value
PRINTED = re.compile(r"'type': '(?:text|image|thinking)'")
PRINTED_TYPES = re.compile(r"\['string', 'null'\]", re.IGNORECASE)
PRINTED_LITERALS = {"true": "True", "null": "None", "false": "False", "[false]": "False"}


class Law(StrEnum):
    """A law that each conversation is checked against."""

    RENDERS = "renders"
    WRITTEN = "written"
    CUT = "cut"
    ONCE = "once"
    JSON = "json"
    NO_NONE = "no none"
    PARTS = "parts"
    NAMED = "named"
    OWN_NAME = "own name"
    CLOSED = "closed"
    ENDED_ONCE = "ended once"
    BEGUN_ONCE = "begun once"
    OPENED = "opened"
    LAST = "nothing after the last"
    PAIRED = "paired"
    VALUES = "values"
    READ = "read"
    VERBATIM = "verbatim"


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken law, and where; equal faults are the same in two conversations."""

    law: Law
    where: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Detail:
    """A fault with the words that show it in one conversation."""

    fault: Fault
    words: str


OF_TOOLS = (OFFERED, NAMED, NAMED_PARAMETER)
"""Parts whose words may be in prose about tools, and in calls, too."""
INSIDE = {FALSY: CALL, NULL: CALL, KEYED: OFFERED, NAMED_PARAMETER: OFFERED}
"""Parts of other parts."""
OF_FRAMES = {
    Break.OPEN: Law.CLOSED,
    Break.ENDED_TWICE: Law.ENDED_ONCE,
    Break.BEGUN_TWICE: Law.BEGUN_ONCE,
    Break.UNOPENED: Law.OPENED,
    Break.AFTER_END: Law.LAST,
}


@dataclass(frozen=True, slots=True)
class Habits:
    """A template's format in plain conversations, which it must keep in others."""

    frame: Frame = NO_FRAME
    values: WrittenValues = NOTHING_WRITTEN
    formats: tuple[CallFormat, ...] = ()


NO_HABITS = Habits()


def habits_of(
    given: Sequence[ShapedConversation], rendered: Sequence[Rendering], special: Mapping[str, str]
) -> Habits:
    """Derive a template's habits from its plain conversations."""
    pairs = zip(given, rendered, strict=True)
    plain = [(one, found.text) for one, found in pairs if found.ok and is_plain(one.chosen)]
    values = written_values(plain)
    formats = () if values.calls else formats_of(plain)
    return Habits(frame_of(given, rendered, special), values, formats)


def details(
    one: ShapedConversation, found: Rendering, habits: Habits = NO_HABITS
) -> Iterator[Detail]:
    """Yield every fault of a conversation; none if the template refuses it."""
    if not found.ok:
        # Accept a refusal in the template's own words, and an answer that cannot be continued.
        if found.trouble is not Trouble.RAISED and not one.given.continue_final:
            yield Detail(Fault(Law.RENDERS, found.error[:MOST_TOLD], found.line), found.error)
        return
    for gap in gaps(one, found.text):
        if broken := habits.frame.broken(gap):
            # Blame the turn that lacks its marker: the next where nothing opens it.
            whose = gap.after if broken is Break.UNOPENED else gap.before
            yield Detail(Fault(OF_FRAMES[broken], whose), gap.text)
    if tag := habits.frame.unpaired(one, found.text):
        yield Detail(Fault(Law.PAIRED, tag), found.text[-NEAR:])
    for whose, shown in miswritten(one, found.text, habits.values):
        yield Detail(Fault(Law.VALUES, whose), shown)
    for whose, shown in misread(one, found.text, habits.formats):
        yield Detail(Fault(Law.READ, whose), shown)
    yield from _printed(one, found.text)
    for part in one.parts:
        if cut := next((each for each in map(partial(_cut, found.text), part.words) if each), ""):
            yield Detail(Fault(Law.CUT, part.place), cut)
            continue
        # Leave out what templates may drop: documents, and reasoning that is over.
        if part.role == DOCUMENT or not part.words or _by_design(one, part):
            continue
        if part.role in INSIDE and not _written(one, INSIDE[part.role], found.text):
            continue  # it goes with what it is in
        if part.role == NAMED and not any(word in found.text for word in _offered(one)):
            continue  # no tool is offered
        counts = {word: found.text.count(word) for word in part.words}
        lost = [word for word, count in counts.items() if not count]
        if lost:
            yield Detail(Fault(Law.WRITTEN, part.place), lost[0])
        elif part.role not in OF_TOOLS and (twice := [word for word in counts if counts[word] > 1]):
            # Let the words of tools repeat, as prose about them may.
            yield Detail(Fault(Law.ONCE, part.place), twice[0])
    yield from _literals(one, found.text)
    yield from _unnamed(one, found.text)
    yield from _altered(one, found.text)


def _altered(one: ShapedConversation, text: str) -> Iterator[Detail]:
    """Yield results in other characters than the tool's, or their JSON form."""
    told = one.chosen["result"] in ("marks", "script", "pasted")
    if not told and one.chosen["amount"] != "long texts":
        return
    said = [m["content"] for m in one.given.messages if m["role"] == "tool"]
    parts = [part for part in one.parts if part.role == "tool"]
    for content, part in zip(said, parts, strict=True):
        whole = content.strip()
        forms = [whole, *(json.dumps(whole, ensure_ascii=each)[1:-1] for each in (True, False))]
        there = all(word in text for word in part.words)
        if there and not any(each in text for each in forms):
            at = text.find(part.words[0])
            yield Detail(Fault(Law.VERBATIM, part.place), text[at : at + NEAR])
            return


def _cut(text: str, word: str) -> str:
    """Return the rest of a word that lost its first or last letters; else "".

    >>> _cut("<think>vrugask.</think>", "Nevrugask"), _cut("Bravrugask", "Nevrugask")
    ('vrugask', '')
    """
    if word in text or not word.isalpha():
        return ""
    for less in range(1, MOST_CUT + 1):
        for left, pattern in ((word[less:], r"(?<![^\W_]){}"), (word[:-less], r"{}(?![^\W_])")):
            if left in text and re.search(pattern.format(left), text):
                return left
    return ""


def _written(one: ShapedConversation, role: str, text: str) -> bool:
    """Return whether every word of a role's parts is in the text."""
    return all(word in text for part in one.parts if part.role == role for word in part.words)


def _by_design(one: ShapedConversation, part: Part) -> bool:
    """Return whether templates omit a part on purpose, such as earlier reasoning."""
    last = part.message == len(one.given.messages) - 1
    return part.role == REASONING and not (last and one.chosen["thinking"] != "off")


def _printed(one: ShapedConversation, text: str) -> Iterator[Detail]:
    """Yield lists of parts and of types written in Python's spelling."""
    for pattern, where in ((PRINTED, ""), (PRINTED_TYPES, "types of a schema")):
        if shown := pattern.search(text):
            yield Detail(Fault(Law.PARTS, where), shown[0])


def _literals(one: ShapedConversation, text: str) -> Iterator[Detail]:
    """Yield argument values in Python's spelling, and None for null."""
    for key, value in one.literals.items():
        for at in (found.end() for found in re.finditer(key, text)):
            near = text[at : at + NEAR]
            told = PYTHON.search(near)
            expected = PRINTED_LITERALS.get(json.dumps(value))
            if told and told[0] == expected and not _another(near[: told.start()], one):
                yield Detail(Fault(Law.JSON, "a call"), f"{key}{near[: told.end()]}")
                return
    nulls = one.chosen["call content"] == "null", one.chosen["result name"] == "null"
    if any(nulls):
        for before, after in _gaps(one, text):
            if shown := PYTHON.search(text[before:after]):
                end = before + shown.end()
                where = "content" if nulls[0] else "name"
                yield Detail(Fault(Law.NO_NONE, where), text[max(before, end - NEAR) : end])
                return


def _another(between: str, one: ShapedConversation) -> bool:
    """Return whether another argument is named before the value."""
    return any(key in between for key in one.literals)


def _gaps(one: ShapedConversation, text: str) -> Iterator[tuple[int, int]]:
    """Yield the gaps between messages, after the first question and before the last."""
    places = [
        (text.find(part.words[0]), text.find(part.words[-1]) + len(part.words[-1]))
        for part in one.parts
        if part.is_turn and part.words and part.words[0] in text
    ]
    places.sort()
    for (_, end), (start, _) in pairwise(places):
        if end <= start and not any(word in text[end:start] for word in _offered(one)):
            yield end, start


def _offered(one: ShapedConversation) -> tuple[str, ...]:
    """Return the descriptions of tools, which may be written between two messages."""
    return tuple(word for part in one.parts if part.role == OFFERED for word in part.words[3:])


def _unnamed(one: ShapedConversation, text: str) -> Iterator[Detail]:
    """Yield results without the name of their tool before them."""
    names = {
        call["function"]["name"]
        for message in one.given.messages
        for call in message.get("tool_calls") or ()
    }
    if one.chosen["arguments"] == "empty":
        return  # the name in the call may be next to the result
    called = _called(one, text)
    for part in one.parts:
        if part.role == "tool" and part.words and part.words[0] in text:
            message = one.given.messages[part.message or 0]
            own = called.get(message.get("tool_call_id", ""))
            before = text[: text.find(part.words[0])]
            said = [each.words[-1] for each in one.parts if each.is_turn and each.words]
            at = max((before.rfind(word) + len(word) for word in said if word in before), default=0)
            near = before[at:]
            if not any(name in near for name in names):
                yield Detail(Fault(Law.NAMED, ""), near[-NEAR:])
                return
            if own and own not in near:
                yield Detail(Fault(Law.OWN_NAME, part.place), near[-NEAR:])
                return


def _called(one: ShapedConversation, text: str) -> Mapping[str, str]:
    """Map the ids of written calls to tools."""
    calls = [call for each in one.given.messages for call in each.get("tool_calls") or ()]
    found = (part for part in one.parts if part.role == CALL and part.feature == "arguments")
    words = [part.words[0] for part in found]
    both = zip(calls, words, strict=False)
    return {c["id"]: c["function"]["name"] for c, word in both if "id" in c and word in text}
