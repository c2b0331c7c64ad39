"""Leave the last message open for a model to continue, without an end of turn.

The place where the message ends is found by writing a mark there.  The mark ends in a space, so
that a template which trims contents shows that it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MARK = "CONTINUES_HERE "


def refuse_unread(template: str) -> None:
    """Raise `ValueError` for a template that never names `content`, as 5.x does."""
    if "content" not in template:
        raise ValueError("the template does not name the content that is to be continued")


def marked(messages: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """Return the messages with a mark after the last text, and that text without it.

    >>> marked([{"role": "assistant", "content": "Once"}])
    ([{'role': 'assistant', 'content': 'OnceCONTINUES_HERE '}], 'Once')
    """
    *before, last = messages
    content = last.get("content")
    if isinstance(content, str):
        return [*before, {**last, "content": content + MARK}], content
    if isinstance(content, list):
        for place in reversed(range(len(content))):
            if "text" in content[place]:
                words = content[place]["text"]
                parts = [*content]
                parts[place] = {**content[place], "text": words + MARK}
                return [*before, {**last, "content": parts}], words
    raise ValueError("the last message has no text to continue")


def continued(text: str, words: str) -> str:
    """Return the rendered text up to the mark; raise `ValueError` without the message.

    >>> continued("<a>OnceCONTINUES_HERE <end>", "Once"), continued("<a>OnceCONTINUES_HERE", "Once")
    ('<a>Once', '<a>Once')
    """
    if words.strip() not in text or MARK.strip() not in text:
        raise ValueError("the last message, which is to be continued, is not in the text")
    at = text.rindex(MARK.strip())
    spaced = text[at : at + len(MARK)] == MARK
    return text[:at] if spaced else text[:at].rstrip()
