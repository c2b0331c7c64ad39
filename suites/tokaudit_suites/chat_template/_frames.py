"""Text that a template writes around the messages of each role."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from tokaudit.products.chat.work.part_renderings import PartRendering
from tokaudit_suites.chat_template._parts import (
    ANSWER,
    FIRST_ANSWER,
    QUESTION,
    SECOND_QUESTION,
    SYSTEM,
)

MARKER = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")
LETTER = re.compile(r"\w")
NAMED = re.compile(r"(\s*)(\w+)((?:<[^<>\s]+>)?)(\s*)")


@dataclass(frozen=True)
class Frames:
    """Texts between the messages of `answers`, and around a system message.

    `system` is what is before and after it; both are empty where the template refuses one.
    """

    first: str
    after_question: str
    after_answer: str
    after_last: str
    system: tuple[str, str] = ("", "")

    @cached_property
    def asking(self) -> str:
        """Return the opening of a question after an answer, without the end of the answer."""
        pairs = zip(self.after_answer, self.after_last, strict=False)
        end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        halves = (one for one in MARKER.finditer(self.after_answer) if one.end() > end)
        first = next((one.start() for one in halves), end)
        return self.after_answer[min(first, end) :]

    @cached_property
    def shared_ends(self) -> frozenset[str]:
        """Return the markers that end both a question and the last answer."""
        return frozenset(markers(self.after_question)) & frozenset(markers(self.after_last))

    @cached_property
    def opener(self) -> str:
        """Return the marker that opens every role's turns and ends none; "" if roles differ."""
        shared = set(markers(self.after_question)) & set(markers(self.after_answer))
        openers = shared - set(markers(self.after_last))
        return next((one for one in markers(self.first) if one in openers), "")

    def between(self) -> Mapping[str, str]:
        """Return the text after each role's message and before the next role's."""
        after = {"user": self.after_question, "assistant": self.after_answer}
        separate = self.asking.strip() in self.system[1] and MARKER.search(self.system[0])
        return {"system": self.system[1], **after} if separate else after

    def headers(self) -> Mapping[str, re.Match[str]]:
        """Return each role's name with the space around it, if one marker opens every turn."""
        before = {
            "system": self.system[0],
            "user": self.after_answer,
            "assistant": self.after_question,
        }
        found = {
            role: NAMED.match(text.rpartition(self.opener)[2])
            for role, text in before.items()
            if self.opener and self.opener in text
        }
        return {role: match for role, match in found.items() if match}


def markers(text: str) -> tuple[str, ...]:
    """Return the markers of a text in order."""
    return tuple(MARKER.findall(text))


def frames(one: PartRendering) -> Frames | None:
    """Return the frames of a template; None if its text lacks the messages in order."""
    plain = one.plain("answers").text
    gaps = _gaps(plain, (QUESTION, FIRST_ANSWER, SECOND_QUESTION, ANSWER))
    if gaps is None:
        return None
    around = _gaps(one.plain("answers-system").text, (SYSTEM, QUESTION))
    system = ("", "") if around is None else (around[0], around[1])
    return Frames(gaps[0], gaps[1], gaps[2], gaps[4], system)


def _gaps(text: str, words: tuple[str, ...]) -> list[str] | None:
    """Return the texts before, between and after these words; None if one is missing."""
    gaps = []
    for each in words:
        gap, found, text = text.partition(each)
        if not found:
            return None
        gaps.append(gap)
    return [*gaps, text]


def answer_header(one: PartRendering) -> str:
    """Return the first line of a generation prompt; "" if it has no letter or digit."""
    asked = one.plain("tools-none")
    added = one.prompted("tools-none").text.removeprefix(asked.text)
    header = added.strip().partition("\n")[0]
    return header if asked.ok and LETTER.search(header) else ""
