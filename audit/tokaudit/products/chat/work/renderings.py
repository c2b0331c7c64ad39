"""Needs of chat template checks: every template of the subject, rendered and encoded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.products.chat.rendering.rendering import RenderedTemplate, Rendering, RenderRequest
from tokaudit.products.chat.rendering.segments import Span, Unknown, trained_spans
from tokaudit.products.chat.rendering.templates import ChatTemplate, chat_templates, special_tokens
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.runtimes.protocol import EncodeOptions, Encoding, Tokenizer
from tokaudit.subject.conversations.conversation import Conversation, role_matrix
from tokaudit.subject.material import Subject
from tokaudit_reference.batching.spans import mask_from_spans, union
from tokaudit_reference.spec import TokenizerSpec

SHOWN = ("system-turns-2", "turns-2", "tool-call", "reasoning")  # of ours, by `chat` and reports
WITH_OFFSETS = EncodeOptions(offsets=True)


@dataclass(frozen=True)
class ChatRendering:
    """One template of the subject, with its rendering of every conversation."""

    template: ChatTemplate
    rendered: RenderedTemplate


@dataclass(frozen=True)
class ChatRenderings:
    """Every template over the role matrix; the first is the one for plain chats."""

    all: tuple[ChatRendering, ...]
    conversations: tuple[Conversation, ...]
    special_tokens: dict[str, str]

    @property
    def usable(self) -> tuple[ChatRendering, ...]:
        """Return the templates that could be rendered."""
        return tuple(one for one in self.all if one.rendered.trouble is None)


@dataclass(frozen=True)
class BaseChatRenderings:
    """Renderings of the base's templates over the same conversations."""

    renderings: ChatRenderings


@dataclass(frozen=True)
class UntrimmedRenderings:
    """Renderings that keep the white space next to tags, as engines without trimming.

    A template that is not rendered at all has no entry.
    """

    by_text: dict[str, RenderedTemplate]


@dataclass
class ChatIds:
    """Ids of rendered texts by the reference, with special tokens parsed but none added."""

    tokenizer: Tokenizer
    options: EncodeOptions = WITH_OFFSETS
    _known: dict[str, Encoding] = field(default_factory=dict)

    def of(self, texts: Sequence[str]) -> list[Encoding]:
        """Encode each text."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            found = self.tokenizer.encode(new, self.options)
            self._known |= dict(zip(new, found, strict=True))
        return [self._known[text] for text in texts]

    def one(self, text: str) -> Encoding:
        """Encode one text."""
        return self.of([text])[0]

    def trained(self, text: str, spans: Sequence[Span]) -> tuple[bool, ...]:
        """Return for each token of a text whether one of its spans is trained."""
        offsets = self.one(text).offsets
        if offsets is None:
            raise Skip("tokaudit's reference encoder reports no offsets for this tokenizer")
        return tuple(filled(offsets, mask_from_spans(offsets, spans), spans))


def filled(offsets: Sequence[Span], mask: Sequence[int], spans: Sequence[Span]) -> list[bool]:
    """Fill the mask for tokens without text between trained ones of one span.

    A byte-level post-processor trims a space that is a token by itself to nothing, and a trainer
    learns from a span as a whole.

    >>> filled([(0, 1), (2, 2), (2, 3), (4, 4)], [1, 0, 1, 0], [(0, 4)])
    [True, True, True, False]
    """
    starts = [start for start, _ in union(spans)]
    found, last = list(map(bool, mask)), (0, -1)
    for index, (_, end) in enumerate(offsets):
        if found[index]:
            span = bisect_right(starts, end - 1)
            if span == last[1]:
                found[last[0] : index] = [True] * (index - last[0])
            last = index, span
    return found


def render_all(
    subject: Subject,
    spec: TokenizerSpec | None,
    renderer: ChatRenderer,
    more: tuple[Conversation, ...] = (),
    dialect: Dialect = Dialect.TRANSFORMERS_5,
) -> ChatRenderings:
    """Render every template of the subject over the role matrix and the user's additions."""
    templates = chat_templates(subject)
    if not templates:
        raise NotApplicable("the tokenizer has no chat template")
    given = special_tokens(subject, spec)
    conversations = (*role_matrix(), *more)
    found: dict[str, RenderedTemplate] = {}
    for template in templates:
        if template.text not in found:
            marked = (*SHOWN, *(one.id for one in more))
            request = RenderRequest(template.text, conversations, given, dialect, marked=marked)
            found[template.text] = renderer.render(request)
    together = tuple(ChatRendering(one, found[one.text]) for one in templates)
    return ChatRenderings(together, conversations, given)


def render_untrimmed(renderings: ChatRenderings, renderer: ChatRenderer) -> UntrimmedRenderings:
    """Render every usable template over the same conversations, without trimming."""
    found: dict[str, RenderedTemplate] = {}
    for one in renderings.usable:
        text = one.template.text
        if text not in found:
            found[text] = renderer.render(
                RenderRequest(text, renderings.conversations, renderings.special_tokens, trim=False)
            )
    return UntrimmedRenderings(found)


def as_sent(one: ChatRendering, given: Conversation) -> Rendering | None:
    """Return the text as a client requests it, prompted after a user or a tool."""
    rendered = one.rendered.conversation(given.id)
    if rendered is None or given.continue_final:
        return None
    prompted = given.roles[-1] != "assistant"
    return rendered.whole.prompted if prompted else rendered.whole.plain


def mask(
    conversation: Conversation, rendering: ChatRendering, ids: ChatIds
) -> tuple[bool, ...] | Unknown:
    """Return for each token whether it is trained, or why that is unknown."""
    rendered = rendering.rendered.conversation(conversation.id)
    if rendered is None or not rendered.whole.plain.ok:
        return Unknown(len(conversation.messages) - 1, "the conversation is not rendered")
    spans = trained_spans(rendered, conversation.roles)
    return spans if isinstance(spans, Unknown) else ids.trained(rendered.whole.plain.text, spans)
