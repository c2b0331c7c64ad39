"""A whole file of conversations against the laws: how many break each, and the first of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from tokaudit.engine.chat import ChatIds
from tokaudit.engine.conversations.laws import LAWS, Law, sampled_words
from tokaudit.runtimes.chat.conversations import Conversation
from tokaudit.runtimes.chat.rendering import RenderedConversation, RenderRequest
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.worker.chat_client import ChatRenderer

AT_ONCE = 64
WITHOUT_OFFSETS = EncodeOptions()  # no law asks for them, and ids alone are quicker
SHOWN = 5  # conversations that break a law, by name
Heard = Callable[[int], None]


def unheard(count: int) -> None:
    """Ignore the progress."""


@dataclass
class LawResult:
    """One law over all conversations: who breaks it, and how the first does."""

    law: Law
    broken: int = 0
    conversations: list[str] = field(default_factory=list)
    first: str = ""

    def add(self, id: str, reason: str) -> None:
        """One more conversation that breaks it."""
        self.broken += 1
        self.first = self.first or reason
        if len(self.conversations) < SHOWN:
            self.conversations.append(id)


@dataclass(frozen=True)
class HeldChats:
    """How many conversations there were, and what each law says of them."""

    conversations: int
    laws: tuple[LawResult, ...]
    ignored: Mapping[str, int] = field(default_factory=dict)

    def failing(self, use: str) -> tuple[LawResult, ...]:
        """The laws that are broken and that this use needs."""
        return tuple(one for one in self.laws if one.broken and use in one.law.needed_by)


def held(
    conversations: Iterator[Conversation],
    request: RenderRequest,
    renderer: ChatRenderer,
    ids: ChatIds,
    heard: Heard = unheard,
) -> HeldChats:
    """Every conversation rendered and held to every law, some at a time."""
    results, count = tuple(map(LawResult, LAWS)), 0
    while batch := list(islice(conversations, AT_ONCE)):
        _held(batch, request, renderer, (results, ChatIds(ids.tokenizer, WITHOUT_OFFSETS)))
        count += len(batch)
        heard(count)
    return HeldChats(count, results)


def _texts(given: Conversation, rendered: RenderedConversation) -> Iterator[str]:
    """The texts whose ids the laws compare: each step, each prompt, its rest, answers."""
    yield from filter(None, map(sampled_words, given.messages))
    for before, step in pairwise(rendered.steps):
        yield from (before.plain.text, step.plain.text)
        prompt = before.prompted.text if before.prompted is not None else ""
        if prompt and step.plain.text.startswith(prompt):
            yield from (prompt, step.plain.text[len(prompt) :])


def _held(
    batch: Sequence[Conversation],
    request: RenderRequest,
    renderer: ChatRenderer,
    judge: tuple[Sequence[LawResult], ChatIds],
) -> None:
    """One batch; what cannot be rendered at all breaks the first law, and no other is tried."""
    results, ids = judge
    asked = RenderRequest(
        request.template,
        tuple(batch),
        request.special_tokens,
        request.dialect,
        react=False,
    )
    rendered = renderer.render(asked)
    if rendered.trouble is not None:
        for given in batch:
            results[0].add(given.id, rendered.error)
        return
    together = list(zip(batch, rendered.conversations, strict=True))
    ids.of([text for given, one in together for text in _texts(given, one)])  # in one question
    for given, one in together:
        for result in results:
            reason = result.law.judged(given, one, ids)
            if reason:
                result.add(given.id, reason)
                if result.law is LAWS[0]:
                    break
