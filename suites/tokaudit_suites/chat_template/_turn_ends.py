"""What a template writes around the words of a turn: spaces nobody said, an end that is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.engine.chat_parts import PartRendering
from tokaudit.report.model import Finding, Severity
from tokaudit_suites.chat_template._parts import (
    ANSWER,
    FIRST_ANSWER,
    QUESTION,
    SECOND_QUESTION,
    SYSTEM,
    part_finding,
)

LINES = "Reeds.\n\nRushes."
MARKERS = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")


def spaced_answers(one: PartRendering) -> Iterator[Finding]:
    """A space between an answer and its end, which no model writes before it stops."""
    found = one.plain("answers")
    next_characters = (found.text.partition(words)[2][:1] for words in (FIRST_ANSWER, ANSWER))
    if found.ok and " " in next_characters:
        said = ("space before the end", "writes a space between an answer and its end")
        remedy = "Write the end of the turn directly after `message.content`."
        yield part_finding(one, Severity.WARNING, said, ("answers", found), remedy)


def joined_lines(one: PartRendering) -> Iterator[Finding]:
    """A blank line inside of contents, in a chat that has no system message."""
    found = one.plain("answers-lines")
    joined = "".join(LINES.split()) in "".join(found.text.split())
    if found.ok and LINES not in found.text and joined:
        said = ("blank lines", "drops blank lines inside of what was said")
        yield part_finding(one, Severity.WARNING, said, ("answers-lines", found))


def unended_system(one: PartRendering) -> Iterator[Finding]:
    """A system message that is opened as the other turns are, and not ended as they are."""
    found = one.plain("answers-system")
    opened, after = found.text.partition(SYSTEM)[::2]
    after_system = MARKERS.findall(after.partition(QUESTION)[0])
    after_question = MARKERS.findall(_between(found.text, QUESTION, FIRST_ANSWER))
    after_answer = MARKERS.findall(_between(found.text, FIRST_ANSWER, SECOND_QUESTION))
    if len(after_question) < 2 or after_question[:2] != after_answer[:2]:
        return  # no marker ends a turn
    end, opener = after_question[:2]
    if end != opener and opener in opened and after_system[:1] == [opener]:
        said = ("system without end", f"ends every turn with {end} but the system message")
        yield part_finding(one, Severity.WARNING, said, ("answers-system", found))


def _between(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]
