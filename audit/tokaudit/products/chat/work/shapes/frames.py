"""Frames of turns in a template's plain conversations, and gaps that break them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
TAG = re.compile(r"</?\w+>|\[/?[A-Z_]+\]")
USER, ASSISTANT, TOOL, SYSTEM = "user", "assistant", "tool", "system"
PROMPT, NOTHING = "the generation prompt", "nothing"
"""What comes after the last words where an answer is asked for, and where one is there."""


class Break(StrEnum):
    """A fault between the words of two messages."""

    OPEN = "open"
    ENDED_TWICE = "ended twice"
    BEGUN_TWICE = "begun twice"
    UNOPENED = "unopened"
    AFTER_END = "after the end"


@dataclass(frozen=True, slots=True)
class Gap:
    """The text between two messages, or after the last, with their roles."""

    before: str
    after: str
    text: str


@dataclass(frozen=True)
class Frame:
    """Markers that end turns by role, markers that open turns, and the start of text.

    `known_ends` are ends as published tokenizers spell them, and the token that ends a text.
    `opened` are the markers that are always between an end and the words of a role, `last` those
    after an answer that nothing follows.  `pairs` says how many more of each tag are opened than
    closed.
    """

    ends: Mapping[str, str] = field(default_factory=dict)
    openers: frozenset[str] = frozenset()
    known_ends: frozenset[str] = frozenset()
    bos: str = ""
    """The start of text, where no turn but the first begins with it."""
    opened: Mapping[str, frozenset[str]] = field(default_factory=dict)
    last: frozenset[str] = frozenset()
    pairs: Mapping[str, int] = field(default_factory=dict)

    def broken(self, gap: Gap) -> Break | None:
        """Return the fault between two messages; None if a turn ends and another opens."""
        if self.bos and self.bos in gap.text:
            return Break.BEGUN_TWICE
        found = list(MARKER.finditer(gap.text))
        if gap.after == NOTHING:
            return self._after_end(gap)
        if self._unopened(gap):
            return Break.UNOPENED
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

    def _after_end(self, gap: Gap) -> Break | None:
        """Find markers after the last answer that no plain conversation has there."""
        more = set(MARKER.findall(gap.text)) - self.last
        return Break.AFTER_END if self.last and gap.before == ASSISTANT and more else None

    def _unopened(self, gap: Gap) -> bool:
        """Return whether nothing opens a turn after the last end in a gap."""
        always = self.opened.get(gap.after, frozenset())
        expected = always & self.openers
        if not expected and gap.after != CALL:  # words may come before a call
            expected = always
        after = after_last_end(gap.text, self.ends.values())
        return bool(expected) and after is not None and not expected & set(MARKER.findall(after))

    def unpaired(self, one: ShapedConversation, text: str) -> str:
        """Return the first tag that is not closed as often as opened; "" if there is none."""
        found = left_open(one, text)
        return next(
            (tag for tag in sorted(found) if found[tag] != self.pairs.get(tag, found[tag])), ""
        )

    def _ends(self, marker: str, expected: str) -> bool:
        """Return whether a marker ends a turn: a known one, or a similar one that is no tag."""
        alike = marker[:2] == expected[:2] and "/" not in marker
        return marker in self.known_ends or marker == expected or alike


NO_FRAME = Frame()


def gaps(one: ShapedConversation, text: str) -> Iterator[Gap]:
    """Yield the gaps between messages in the text, in order, and after the last."""
    found = [_place(parts, text) for parts in _of_messages(one)]
    places = [each for each in found if each is not None]
    for (_, end, before), (start, _, after) in pairwise(places):
        if end <= start:
            yield Gap(before, after, text[end:start])
    if found and found[-1] is not None and not one.given.continue_final:
        end, before = max((end, before) for _, end, before in places)
        asks = one.given.roles[-1] != ASSISTANT
        yield Gap(before, PROMPT if asks else NOTHING, text[end:])


def after_last_end(text: str, ends: Iterable[str]) -> str | None:
    """Return the text after the last end of a turn; None if no turn ends.

    >>> after_last_end("<end> <user>", ["<end>"]), after_last_end("<user>", ["<end>"])
    (' <user>', None)
    """
    at = max((text.rfind(end) + len(end) for end in set(ends) if end in text), default=-1)
    return None if at < 0 else text[at:]


def left_open(one: ShapedConversation, text: str) -> Counter[str]:
    """Count the surplus openings of each tag after the first words of a turn.

    What the generation prompt opens is left to the answer.
    """
    told = [each for each in (_place(parts, text) for parts in _of_messages(one)) if each]
    turns = [end for _, end, role in told if role != SYSTEM]
    if not turns or len(told) < len(one.given.messages):
        return Counter()  # where the first message begins is not known
    first, last = min(turns), max(end for _, end, _ in told)
    found, tail = _left_open(text[first:last]), _left_open(text[last:])
    prompted = one.given.roles[-1] != ASSISTANT
    for tag, more in tail.items():
        found[tag] += min(more, 0) if prompted else more
    return found


def _left_open(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for tag in TAG.finditer(text):
        found[tag[0].replace("/", "")] += -1 if "/" in tag[0] else 1
    return found


def _of_messages(one: ShapedConversation) -> Iterator[list[Part]]:
    """Yield the parts of each message, without reasoning."""
    for index in range(len(one.given.messages)):
        parts = [part for part in one.parts if part.message == index and part.role != REASONING]
        yield [part for part in parts if part.words]


def _place(parts: Sequence[Part], text: str) -> tuple[int, int, str] | None:
    """Return the start, end and role of a message's words; None if they are missing."""
    starts = [text.find(word) for part in parts for word in part.words]
    if not starts or min(starts) < 0:
        return None
    words = [word for part in parts for word in part.words]
    ends = [text.rfind(word) + len(word) for word in words]
    return min(starts), max(ends), parts[-1].role


def frame_of(
    given: Sequence[ShapedConversation], rendered: Sequence[Rendering], special: Mapping[str, str]
) -> Frame:
    """Return the frame of a template; empty if plain conversations do not show one."""
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
    # Demand both kinds of turn: one alone does not show what is the frame.
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
    # Expect the end of a question after a result only where it was seen there.
    if USER in ends and ends[USER] in result:
        ends[TOOL] = ends[USER]
    openers = {each for gap in (asked[0], answered[0]) for each in MARKER.findall(gap)}
    # Keep ends out of the openers: a marker that closes a turn opens none.
    openers -= known | set(ends.values()) | {last}
    bos = special.get("bos_token", "")
    # Expect BOS once only where it is no marker of turns.
    once = bos and bos not in known and bos not in answered[0] and bos not in openers
    return Frame(
        ends,
        frozenset(openers),
        known,
        bos if once else "",
        _opened(between, ends),
        frozenset(each for tail in tails for each in MARKER.findall(tail)),
        _pairs(texts, [t.text for t in rendered if t.ok]),
    )


def _opened(
    between: Mapping[tuple[str, str], Sequence[str]], ends: Mapping[str, str]
) -> Mapping[str, frozenset[str]]:
    """Return the markers that every gap has after an end, by the next role."""
    found: dict[str, frozenset[str]] = {}
    for (before, after), texts in between.items():
        if after == TOOL and before != CALL:
            continue  # where no call is written, the gap has the header of its turn as well
        for text in texts:
            rest = after_last_end(text, ends.values())
            if rest is not None:
                markers = frozenset(MARKER.findall(rest))
                found[after] = found.get(after, markers) & markers
    return found


def _pairs(
    plain: Sequence[tuple[ShapedConversation, str]], all: Sequence[str]
) -> Mapping[str, int]:
    """Count the surplus openings of each tag, if plain conversations agree on it.

    Only a tag that is closed as often as it is opened in some text has to be.
    """
    counts = [left_open(one, text) for one, text in plain]
    closed = {tag for text in all for tag, more in _left_open(text).items() if not more}
    return {tag: counts[0][tag] for tag in closed if len({each[tag] for each in counts}) == 1}


def _tail(one: ShapedConversation, text: str) -> str:
    places = [_place(parts, text) for parts in _of_messages(one)]
    return text[places[-1][1] :] if places and places[-1] is not None else ""


def _common_opener(asked: str, answered: str, ends: frozenset[str]) -> str:
    """Return the marker that opens turns of user and assistant; "" if they differ."""
    shared = [each for each in MARKER.findall(asked) if each in MARKER.findall(answered)]
    return next((each for each in shared if each not in ends), "")


def _end(gap: str, common: str, ends: frozenset[str]) -> str:
    """Return the marker that ends the turn before a gap; "" if there is none."""
    first = MARKER.search(gap.partition(common)[0] if common else gap)
    return first[0] if first and (common or first[0] in ends) else ""
