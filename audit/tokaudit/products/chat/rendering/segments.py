"""Find the part of a rendered conversation that each message wrote, and its trained spans.

Found by comparing the renderings of ever longer conversations: what the text with one message
more has beyond the text without it is that message's segment, and what the generation prompt adds
is the opening of the assistant's.  Where a longer conversation does not begin with the shorter
one (reasoning that is dropped from earlier turns, for example) there is no such answer, and
`Unknown` says at which message.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from tokaudit.products.chat.rendering.rendering import RenderedConversation, Step

Span = tuple[int, int]
SHOWN = 24  # characters of a text that changes
WORD_BEFORE = re.compile(r"[^\s>]{0,16}\Z")  # so that no word or marker is shown in half
END_MARKER = re.compile(r"<[^<>\s]{1,40}>\s*")
END_MARKERS = re.compile(rf"(?:{END_MARKER.pattern})+$")


@dataclass(frozen=True, slots=True)
class Segment:
    """The half-open span `[start, end)` of the text that one message wrote.

    `opening` is where an assistant's own words begin, after the generation prompt; it equals
    `start` where nothing opens the turn, and `end` for the other roles.
    """

    start: int
    end: int
    role: str
    message: int
    opening: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """The reason why there are no segments, and the message at which they end.

    `known` are the first segments, which the whole text has unchanged.
    """

    message: int
    reason: str
    known: tuple[Segment, ...] = ()


def segments(rendered: RenderedConversation, roles: Sequence[str]) -> tuple[Segment, ...] | Unknown:
    """Return the segment of each message, or the reason why there are none."""
    found: list[Segment] = []
    before = ""
    for index, step in enumerate(rendered.steps):
        if not step.plain.ok:
            why = f"the first {step.messages} messages: {step.plain.error}"
            return Unknown(index, why, _unchanged(found, before, rendered))
        text = step.plain.text
        kept = _kept(before, text)
        if kept is None:
            why = _changed(found, before, text, roles)
            return Unknown(index, why, _unchanged(found, before, rendered))
        if len(kept) < len(before):
            found = [_within(one, len(kept)) for one in found]
        before = kept
        start = len(before)
        opening = _opening(rendered.steps[index - 1], text, start) if index else start
        own = roles[index] == "assistant"
        found.append(
            Segment(len(before), len(text), roles[index], index, opening if own else len(text))
        )
        before = text
    return tuple(found)


def _unchanged(
    found: Sequence[Segment], before: str, rendered: RenderedConversation
) -> tuple[Segment, ...]:
    """Return the segments of a shorter text that the whole text begins with."""
    shared = _shared(before, rendered.whole.plain.text)
    return tuple(one for one in found if one.end <= shared)


def _shared(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _changed(found: Sequence[Segment], before: str, text: str, roles: Sequence[str]) -> str:
    """Describe the message that is rewritten once the next one follows."""
    at = _shared(before, text)
    one = next((one for one in found if at < one.end), found[-1])
    at -= len(WORD_BEFORE.findall(before[:at])[0])
    was, now = (each[at : at + SHOWN] for each in (before, text))
    return (
        f"with message {len(found) + 1} ({roles[len(found)]}) the template writes message "
        f"{one.message + 1} ({one.role}) differently: {was!r} becomes {now!r}"
    )


def _within(segment: Segment, end: int) -> Segment:
    """Return the rest of a segment in a shortened text."""
    return replace(
        segment,
        start=min(segment.start, end),
        end=min(segment.end, end),
        opening=min(segment.opening, end),
    )


def _kept(before: str, text: str) -> str | None:
    """Return the shorter text as the longer one begins with it, or None.

    Markers at the very end may go: some templates end whatever has no generation prompt.

    >>> _kept("<a>Hi<end><eos>", "<a>Hi<end><b>"), _kept("<a>Hi", "<a>Ho")
    ('<a>Hi<end>', None)
    """
    if text.startswith(before):
        return before
    kept = END_MARKERS.sub("", before)
    if not text.startswith(kept):
        return None
    for match in END_MARKER.finditer(before, len(kept)):
        if not text.startswith(before[: match.end()]):
            return before[: match.start()]
    return None


def _opening(before: Step, text: str, start: int) -> int:
    """Return the start of the words after a fitting generation prompt, else of the turn."""
    prompt = before.prompted
    if prompt is not None and prompt.ok and text.startswith(prompt.text):
        return len(prompt.text)
    return start


def trained_spans(
    rendered: RenderedConversation, roles: Sequence[str]
) -> tuple[Span, ...] | Unknown:
    """Return the trained spans: `{% generation %}`, else the assistant's segments."""
    marked = rendered.whole.plain.assistant
    if marked:
        return marked
    found = segments(rendered, roles)
    if isinstance(found, Unknown):
        return found
    return tuple((one.opening, one.end) for one in found if one.opening < one.end)


def learned_apart(
    one: RenderedConversation, other: RenderedConversation, roles: Sequence[str]
) -> tuple[tuple[Span, ...], tuple[Span, ...]] | None:
    """Return the trained spans of one text by two templates; None if equal or unknown."""
    if not (one.whole.plain.ok and other.whole.plain.ok):
        return None
    ours, theirs = trained_spans(one, roles), trained_spans(other, roles)
    if isinstance(ours, Unknown) or isinstance(theirs, Unknown) or ours == theirs:
        return None
    return ours, theirs
