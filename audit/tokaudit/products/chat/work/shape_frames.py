"""How a template ends and opens turns, as its plain conversations show it, and who breaks it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from tokaudit.products.chat.rendering.grammar.building import (
    CALL,
    REASONING,
    Part,
    ShapedConversation,
)
from tokaudit.products.chat.rendering.grammar.features import is_plain
from tokaudit.products.chat.rendering.rendering import Rendering
from tokaudit.subject.upstream.published.spellings import spelled, turn_ends

MARKER = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")
USER, ASSISTANT, TOOL = "user", "assistant", "tool"


class Break(StrEnum):
    """What can be wrong between the words of two messages."""

    OPEN = "open"
    ENDED_TWICE = "ended twice"
    BEGUN_TWICE = "begun twice"


@dataclass(frozen=True, slots=True)
class Gap:
    """What is written between the words of two messages, and whose words they are."""

    before: str
    after: str
    text: str


@dataclass(frozen=True)
class Frame:
    """The marker that ends a turn of each role, those that open turns, and the start of text.

    `known_ends` are ends as published tokenizers spell them, and the token that ends a text.
    """

    ends: Mapping[str, str] = field(default_factory=dict)
    openers: frozenset[str] = frozenset()
    known_ends: frozenset[str] = frozenset()
    bos: str = ""
    """The start of text, where no turn but the first begins with it."""

    def broken(self, gap: Gap) -> Break | None:
        """What is wrong between two messages; None where another turn opens after an end."""
        if self.bos and self.bos in gap.text:
            return Break.BEGUN_TWICE
        found = list(MARKER.finditer(gap.text))
        opener = next((each for each in found if each[0] in self.openers), None)
        if opener is None:
            return None
        ending = [each for each in found if each.start() < opener.start()]
        for one, other in pairwise(ending):
            between = gap.text[one.end() : other.start()].strip()
            if {one[0], other[0]} <= self.known_ends and one[0] != other[0] and not between:
                return Break.ENDED_TWICE
        expected = self.ends.get(ASSISTANT if gap.before == CALL else gap.before)
        if expected is None or any(self._ends(each[0], expected) for each in ending):
            return None
        return Break.OPEN

    def _ends(self, marker: str, expected: str) -> bool:
        """Whether a marker ends a turn: a known one, or another of the same kind that is no tag."""
        alike = marker[:2] == expected[:2] and "/" not in marker
        return marker in self.known_ends or marker == expected or alike


NO_FRAME = Frame()


def gaps(one: ShapedConversation, text: str) -> Iterator[Gap]:
    """Between each two messages whose words are in the text, in their order."""
    found = [_place(parts, text) for parts in _of_messages(one)]
    places = [each for each in found if each is not None]
    for (_, end, before), (start, _, after) in pairwise(places):
        if end <= start:
            yield Gap(before, after, text[end:start])


def _of_messages(one: ShapedConversation) -> Iterator[list[Part]]:
    """The parts of each message, its reasoning left out."""
    for index in range(len(one.given.messages)):
        parts = [part for part in one.parts if part.message == index and part.role != REASONING]
        yield [part for part in parts if part.words]


def _place(parts: Sequence[Part], text: str) -> tuple[int, int, str] | None:
    """Where the words of a message begin and end, and whose they are; None where they are not."""
    starts = [text.find(word) for part in parts for word in part.words]
    if not starts or min(starts) < 0:
        return None
    words = [word for part in parts for word in part.words]
    ends = [text.rfind(word) + len(word) for word in words]
    return min(starts), max(ends), parts[-1].role


def frame_of(
    given: Sequence[ShapedConversation], rendered: Sequence[Rendering], special: Mapping[str, str]
) -> Frame:
    """The frame of a template; an empty one where its plain conversations do not show one."""
    texts = [
        (one, found.text)
        for one, found in zip(given, rendered, strict=True)
        if found.ok and is_plain(one.chosen)
    ]
    between: dict[tuple[str, str], list[str]] = {}
    for one, text in texts:
        for gap in gaps(one, text):
            between.setdefault((gap.before, gap.after), []).append(gap.text)
    asked, answered = between.get((USER, ASSISTANT)), between.get((ASSISTANT, USER))
    if not asked or not answered:
        return NO_FRAME
    eos = special.get("eos_token", "")
    known = frozenset((*turn_ends(), *spelled("eos"), eos)) - {""}
    tails = [_tail(one, text) for one, text in texts if one.given.roles[-1] == ASSISTANT]
    last = next((first[0] for tail in tails if (first := MARKER.search(tail))), "")
    common = _common_opener(asked[0], answered[0], known | {last})
    ends = {
        role: end
        for role, gap in ((USER, asked[0]), (ASSISTANT, answered[0]))
        if (end := _end(gap, common, known | {last}))
    }
    if USER in ends and ASSISTANT not in ends and last:
        ends[ASSISTANT] = ends[USER]  # it ends other turns, and this one where it is the last
    result = between.get((TOOL, ASSISTANT), [""])[0]
    if USER in ends and ends[USER] in result:
        ends[TOOL] = ends[USER]
    openers = {each for gap in (asked[0], answered[0]) for each in MARKER.findall(gap)}
    openers -= known | set(ends.values()) | {last}
    bos = special.get("bos_token", "")
    once = bos and bos not in known and bos not in answered[0] and bos not in openers
    return Frame(ends, frozenset(openers), known, bos if once else "")


def _tail(one: ShapedConversation, text: str) -> str:
    places = [_place(parts, text) for parts in _of_messages(one)]
    return text[places[-1][1] :] if places and places[-1] is not None else ""


def _common_opener(asked: str, answered: str, ends: frozenset[str]) -> str:
    """The marker that opens turns of user and assistant alike; "" where they differ."""
    shared = [each for each in MARKER.findall(asked) if each in MARKER.findall(answered)]
    return next((each for each in shared if each not in ends), "")


def _end(gap: str, common: str, ends: frozenset[str]) -> str:
    """The marker that ends the turn before a gap; "" where nothing does."""
    first = MARKER.search(gap.partition(common)[0] if common else gap)
    return first[0] if first and (common or first[0] in ends) else ""
