"""Render every chat template over the grammar of conversations, and find its faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tokaudit.products.chat.rendering.grammar.building import CALL, OFFERED, ShapedConversation
from tokaudit.products.chat.rendering.grammar.covering import shaped_conversations
from tokaudit.products.chat.rendering.rendering import RenderedTemplate, Rendering, RenderRequest
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.products.chat.work.shapes.apart import BaseShapeTexts
from tokaudit.products.chat.work.shapes.causes import ShapeFault, explained
from tokaudit.products.chat.work.shapes.faults import Law, habits_of

OF_OLDER = (Law.RENDERS, Law.NO_NONE)
"""The laws that templates break where null is a value: version 5 leaves such keys out."""


@dataclass(frozen=True)
class ShapeRendering:
    """One template over the grammar: its texts, and its faults by transformers version."""

    conversations: tuple[ShapedConversation, ...]
    texts: tuple[Rendering, ...]
    faults: tuple[ShapeFault, ...]
    of_older: tuple[ShapeFault, ...]

    def writes(self, *places: str) -> bool:
        """Return whether the words of any part in these places are in a text."""
        return any(
            word in text.text
            for one, text in zip(self.conversations, self.texts, strict=True)
            for part in one.parts
            if part.place in places
            for word in part.words[-1:]
        )

    @property
    def takes_tools(self) -> bool:
        """Return whether calls or offered tools are written."""
        return self.writes(CALL) or self.writes(OFFERED)

    @property
    def takes_parts(self) -> bool:
        """Return whether a question in parts is written, part by part."""
        return any(
            one.chosen["question"] == "parts"
            and text.ok
            and all(word in text.text for part in one.parts for word in part.words[:1])
            and "'type'" not in text.text
            for one, text in zip(self.conversations, self.texts, strict=True)
        )


@dataclass(frozen=True)
class ShapeRenderings:
    """Renderings over the grammar of each usable template, by its text."""

    by_text: dict[str, ShapeRendering]


def render_shapes(renderings: ChatRenderings, renderer: ChatRenderer) -> ShapeRenderings:
    """Render every usable template over the grammar, each distinct text once."""
    found = {}
    for one in renderings.usable:
        text = one.template.text
        if text not in found:
            found[text] = _rendered(text, renderings, renderer)
    return ShapeRenderings(found)


def texts_of_base(
    mine: ChatRenderings, base: ChatRenderings, renderer: ChatRenderer
) -> BaseShapeTexts:
    """Render the base's templates over the grammar, except those of this side."""
    same = {each.template.text for each in mine.usable}
    if mine.special_tokens != base.special_tokens:
        same = set()
    texts = {each.template.text for each in base.usable} - same
    given = shaped_conversations()
    return BaseShapeTexts(
        {each: _by(each, base, renderer, Dialect.TRANSFORMERS_5, given) for each in sorted(texts)}
    )


def _by(
    text: str,
    renderings: ChatRenderings,
    renderer: ChatRenderer,
    dialect: Dialect,
    given: Sequence[ShapedConversation],
) -> tuple[Rendering, ...]:
    """Render each conversation by one template."""
    asked, special = tuple(each.given for each in given), renderings.special_tokens
    request = RenderRequest(text, asked, special, dialect, react=False, steps=False)
    return _texts(renderer.render(request), len(asked))


def _rendered(text: str, renderings: ChatRenderings, renderer: ChatRenderer) -> ShapeRendering:
    by = partial(_by, text, renderings, renderer)
    given = shaped_conversations()
    nulls = tuple(one for one in given if _has_null(one))
    texts = by(Dialect.TRANSFORMERS_5, given)
    older = by(Dialect.TRANSFORMERS_4, nulls)
    habits = habits_of(given, texts, renderings.special_tokens)
    faults = explained(given, texts, lambda asked: by(Dialect.TRANSFORMERS_5, asked), habits)
    known = {each.fault for each in faults}
    of_older = explained(
        nulls,
        older,
        lambda asked: by(Dialect.TRANSFORMERS_4, asked),
        asked_for=lambda fault: fault.law in OF_OLDER and fault not in known,
    )
    return ShapeRendering(given, texts, faults, of_older)


def _texts(found: RenderedTemplate, count: int) -> tuple[Rendering, ...]:
    """Return a text for each conversation, or the same trouble for all."""
    if found.trouble is not None:
        return (Rendering(trouble=found.trouble, error=found.error),) * count
    return tuple(one.whole.plain for one in found.conversations)


def _has_null(one: ShapedConversation) -> bool:
    """Return whether a message has a null, which only version 4 passes to a template."""
    return any(value is None for message in one.given.messages for value in message.values())
