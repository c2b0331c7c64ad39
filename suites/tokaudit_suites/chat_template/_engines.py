"""Conversations that an engine installed here renders differently from Jinja."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tokaudit.plugin import Severity
from tokaudit.products.chat.engines.client import EngineText
from tokaudit.products.chat.engines.engine import TemplateEngine
from tokaudit.products.chat.work.renderings import ChatRendering, as_sent
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_suites.shared.rendered_chats import is_plain


@dataclass(frozen=True)
class OtherTexts:
    """Conversations that an engine renders as another text, the shortest first."""

    engine: TemplateEngine
    ids: tuple[str, ...]
    severity: Severity
    expected: str
    found: EngineText


def other_texts(
    one: ChatRendering,
    conversations: tuple[Conversation, ...],
    by_engine: Mapping[TemplateEngine, Mapping[str, EngineText]],
) -> Iterator[OtherTexts]:
    """Yield the differing conversations of each engine; a warning if a plain one differs."""
    for engine, texts in by_engine.items():
        differing = [
            (given, rendering, texts[given.id])
            for given in conversations
            if given.id in texts and (rendering := as_sent(one, given)) is not None
            if rendering.ok and rendering.text != texts[given.id].text
        ]
        if differing:
            differing.sort(key=lambda each: (not is_plain(each[0]), len(each[1].text)))
            given, rendering, found = differing[0]
            severity = Severity.WARNING if is_plain(given) and found.ran else Severity.INFO
            ids = tuple(each.id for each, _, _ in differing)
            yield OtherTexts(engine, ids, severity, rendering.text, found)
