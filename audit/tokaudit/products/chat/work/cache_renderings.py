"""Prompts on another day, or with the same tools in another order."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from tokaudit.products.chat.rendering.rendering import Rendering, RenderRequest
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.subject.conversations.conversation import Conversation, part_conversations

QUESTION, TOOLS = "tools-none", "tools-two"  # of the conversations of parts
MINUTE, DAY = 1, 24 * 60


@dataclass(frozen=True)
class LaterPrompts:
    """One template's prompts a minute later, a day later, and with reversed tools."""

    minute: Rendering
    day: Rendering
    turned: Rendering


@dataclass(frozen=True)
class CacheRenderings:
    """Later prompts for a prompt cache, by the text of each usable template."""

    by_text: dict[str, LaterPrompts]


def render_later(renderings: ChatRenderings, renderer: ChatRenderer) -> CacheRenderings:
    """Render every usable template on another day and with tools in another order."""
    given = {one.id: one for one in part_conversations()}
    tools = given[TOOLS]
    turned = structs.replace(tools, tools=tuple(reversed(tools.tools or ())))

    def prompt(text: str, conversation: Conversation, minutes: int) -> Rendering:
        special = renderings.special_tokens
        asked = RenderRequest(text, (conversation,), special, react=False, minutes_later=minutes)
        (found,) = renderer.render(asked).conversations
        return found.whole.prompted or found.whole.plain

    return CacheRenderings(
        {
            text: LaterPrompts(
                prompt(text, given[QUESTION], MINUTE),
                prompt(text, given[QUESTION], DAY),
                prompt(text, turned, 0),
            )
            for text in {one.template.text for one in renderings.usable}
        }
    )
