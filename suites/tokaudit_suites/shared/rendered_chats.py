"""Places of a chat template, and helpers for its rendered text."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from unicodedata import normalize

from tokaudit.plugin import Evidence, NotApplicable, Place, text_fields, view
from tokaudit.products.chat.rendering.rendering import RenderedConversation
from tokaudit.products.chat.rendering.templates import DEFAULT, ChatTemplate
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit.subject.upstream.published.spellings import opens_reasoning

PLAIN_CHATS = ("turns-1", "system-turns-1", "parts-text")  # the first that a template renders
QUESTIONS, ANSWERS = ("Hello.", "Are you there?"), ("Hi, how can I help?", "Yes.")  # in these
COMPONENT = "chat_template"
SHORTEST_TOLD = 4  # letters; fewer are in a text by chance
TURNS = ("user", "assistant")
BESIDE_WORDS = ("reasoning_content", "tool_calls")  # of a message that says more than its words


def place_of(template: ChatTemplate) -> Place:
    """Return a template as a place."""
    return Place(COMPONENT, template.file, template.pointer)


def named(template: ChatTemplate) -> str:
    """Name a template for messages."""
    if template.name == DEFAULT:
        return f"The chat template in {template.file}"
    return f"The chat template '{template.name}' in {template.file}"


def plain_chat(rendering: ChatRendering) -> RenderedConversation | None:
    """Return one question and answer, in the first form that the template renders."""
    found = (rendering.rendered.conversation(id) for id in PLAIN_CHATS)
    return next((one for one in found if one is not None and _writes_both(one)), None)


def is_plain(conversation: Conversation) -> bool:
    """Return whether user and assistant alternate in texts, perhaps after a system message."""
    roles = conversation.roles[1:] if conversation.roles[0] == "system" else conversation.roles
    in_turn = roles[:1] == ("user",) and all(one != other for one, other in pairwise(roles))
    return in_turn and set(roles) <= set(TURNS) and not _says_more(conversation)


def _says_more(conversation: Conversation) -> bool:
    """Return whether there is more than plain text, which templates format freely."""
    more = conversation.tools or conversation.documents or conversation.continue_final
    return bool(more) or not all(map(_only_text, conversation.messages))


def _only_text(message: Mapping[str, Any]) -> bool:
    said = message.get("content")
    inline = not isinstance(said, str) or opens_reasoning(said)
    return not inline and not any(message.get(key) for key in BESIDE_WORDS)


def with_plain_chat(renderings: ChatRenderings) -> Iterator[ChatRendering]:
    """Yield each template that renders a plain chat; `chat_template/renders` has the others."""
    if not renderings.usable:
        raise NotApplicable("no chat template is rendered")
    yield from (one for one in renderings.usable if plain_chat(one) is not None)


def whole_text(one: ChatRendering, conversation: Conversation) -> str:
    """Return the text of a conversation; empty if it is refused or fails."""
    rendered = one.rendered.conversation(conversation.id)
    return rendered.whole.plain.text if rendered is not None and rendered.whole.plain.ok else ""


def without_space(text: str) -> str:
    """Return a text without white space, which templates trim and add freely."""
    return "".join(text.split())


def altered(said: str, text: str) -> bool:
    """Return whether a text has these words in altered characters: case, escapes, marks.

    >>> altered("It's late.", "<u>it&#39;s late<end>"), altered("It's late.", "<u>It is late<end>")
    (True, False)
    """
    if said in text or len(_letters(said)) < SHORTEST_TOLD:
        return False
    plain = [normalize("NFKD", one) for one in (said, text)]  # an accent lost, and its letter kept
    return any(_letters(mine) in _letters(other) for mine, other in ((said, text), plain))


def _letters(text: str) -> str:
    """Return the ASCII letters and digits in lower case, with escapes decoded."""
    unescaped = html.unescape(text).replace("\\n", "")
    return "".join(c for c in unescaped.casefold() if c.isascii() and c.isalnum())


def is_changed(rendering: ChatRendering) -> bool:
    """Return whether a template alters the characters of a plain chat."""
    found = rendering.rendered.conversation(PLAIN_CHATS[0])
    if found is None or not found.whole.plain.ok:
        return False
    text = found.whole.plain.text
    said = (QUESTIONS[0], ANSWERS[0])
    return all(each in text or altered(each, text) for each in said) and any(
        each not in text for each in said
    )


def _writes_both(chat: RenderedConversation) -> bool:
    texts = (chat.steps[-2].plain, chat.steps[-2].prompted, chat.whole.plain)
    if not all(one is not None and one.ok for one in texts):
        return False
    text = chat.whole.plain.text
    return any(q in text for q in QUESTIONS) and any(answer in text for answer in ANSWERS)


def outside_tags(chat: RenderedConversation) -> Evidence:
    """Return the continuation of a chat after its last generation tag."""
    rendering = chat.whole.plain
    tail = rendering.text[rendering.assistant[-1][1] :] if rendering.assistant else rendering.text
    return Evidence("facts", facts={"after the last generation tag": tail.strip()})


def shown(
    conversation: str, text: str, ids: Sequence[int] = (), names: dict[int, str] | None = None
) -> Evidence:
    """Return a rendered conversation as evidence, with its tokens if known."""
    fields = text_fields(text)
    return Evidence(
        kind="conversation",
        text=fields.get("text"),
        text_base64=fields.get("text_base64"),
        ids=tuple(ids),
        actual=view(ids, names or {}),
        actual_label="rendered",
        note=f"conversation {conversation}",
    )
