"""Render chat templates over conversations with distinct words in every part."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.products.chat.rendering.rendering import RenderedTemplate, Rendering, RenderRequest
from tokaudit.products.chat.rendering.templates import ChatTemplate
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.subject.conversations.conversation import Conversation, part_conversations

UNSAID = Rendering()


@dataclass(frozen=True)
class PartRendering:
    """One template over these conversations, by both versions of transformers."""

    template: ChatTemplate
    rendered: RenderedTemplate
    older: RenderedTemplate

    def plain(self, id: str, messages: int | None = None) -> Rendering:
        """Return the first messages of a conversation, or all, without a generation prompt."""
        return _step(self.rendered, id, messages)[0]

    def prompted(self, id: str, messages: int | None = None) -> Rendering:
        """Return the same with a generation prompt."""
        return _step(self.rendered, id, messages)[1]

    def by_older(self, id: str) -> Rendering:
        """Return a whole conversation by transformers 4.57."""
        return _step(self.older, id, None)[0]


@dataclass(frozen=True)
class PartRenderings:
    """Every rendered template; equal texts share their renderings."""

    all: tuple[PartRendering, ...]
    conversations: tuple[Conversation, ...]

    def conversation(self, id: str) -> Conversation:
        """Return the conversation with that id, as given."""
        return next(one for one in self.conversations if one.id == id)


def _step(rendered: RenderedTemplate, id: str, messages: int | None) -> tuple[Rendering, Rendering]:
    found = rendered.conversation(id)
    if found is None:
        return UNSAID, UNSAID
    step = found.whole if messages is None else found.steps[messages - 1]
    return step.plain, step.prompted or UNSAID


def render_parts(renderings: ChatRenderings, renderer: ChatRenderer) -> PartRenderings:
    """Render every usable template over the conversations of parts, in both dialects."""
    found: dict[str, tuple[RenderedTemplate, RenderedTemplate]] = {}
    for one in renderings.usable:
        text = one.template.text
        if text not in found:
            found[text] = (
                renderer.render(_request(text, renderings, Dialect.TRANSFORMERS_5)),
                renderer.render(_request(text, renderings, Dialect.TRANSFORMERS_4)),
            )
    together = (PartRendering(one.template, *found[one.template.text]) for one in renderings.usable)
    return PartRenderings(tuple(together), part_conversations())


def _request(text: str, renderings: ChatRenderings, dialect: Dialect) -> RenderRequest:
    given = renderings.special_tokens
    return RenderRequest(text, part_conversations(), given, dialect, react=False)
