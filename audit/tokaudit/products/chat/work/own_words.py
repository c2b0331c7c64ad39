"""Find the template's own words before the first turn: a default prompt, a BOS.

What the first message adds to an empty text is also what the template writes by itself. A later
message of the same role shows how such a turn begins, and the first turn begins alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tokaudit.products.chat.rendering.rendering import RenderedConversation, RenderedTemplate
from tokaudit.products.chat.rendering.segments import Segment, Unknown, segments
from tokaudit.subject.conversations.conversation import Conversation

Headers = Mapping[str, tuple[str, ...]]


def turn_headers(template: RenderedTemplate, conversations: Iterable[Conversation]) -> Headers:
    """Return by role the text before the words of a later message, the usual one first.

    A turn without words of its own, such as a call of a tool, shows none. One that takes back the
    end of the text before it counts only where no other does.
    """
    whole: dict[str, Counter[str]] = {}
    clipped: dict[str, Counter[str]] = {}
    for given in conversations:
        rendered = template.conversation(given.id)
        if rendered is None or not rendered.whole.plain.ok:
            continue
        text = rendered.whole.plain.text
        for part in _known(rendered, given)[1:]:
            at = _words_in(text[part.start : part.end], given.messages[part.message])
            before = rendered.steps[part.message - 1].plain.text
            if at:
                counted = clipped if part.start < len(before) else whole
                header = text[part.start : part.start + at]
                counted.setdefault(part.role, Counter())[header] += 1
    return {role: tuple(_usual(whole.get(role) or clipped[role])) for role in {**whole, **clipped}}


def _known(rendered: RenderedConversation, given: Conversation) -> tuple[Segment, ...]:
    found = segments(rendered, given.roles)
    return found.known if isinstance(found, Unknown) else found


def _usual(counted: Counter[str]) -> list[str]:
    return [header for header, _ in counted.most_common()]


def own_words(
    text: str, first: Segment, message: Mapping[str, Any], headers: Headers, bos: str
) -> int:
    """Return the start of the first turn; no message wrote the text before it.

    Where no later turn of its role is known, only a BOS is the template's.
    """
    at = _words_in(text[first.start : first.end], message)
    before = text[first.start : first.start + (at or 0)]
    for header in headers.get(first.role, ()):
        if header in before:
            return first.start + before.rindex(header)
    return len(bos) if bos and text.startswith(bos) else 0


def _words_in(segment: str, message: Mapping[str, Any]) -> int | None:
    """Return the start of a message's words in its segment; None if they are missing."""
    words = message.get("content")
    if isinstance(words, list | tuple):
        words = next((part["text"] for part in words if "text" in part), None)
    if not isinstance(words, str) or not words.strip():
        return None
    at = segment.rfind(words.strip())
    return None if at < 0 else at
