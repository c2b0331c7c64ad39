"""Check a whole file of conversations against the laws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice

from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.products.chat.work.claims import AddedTokens, Claim, Differences, RenderedChat
from tokaudit.products.chat.work.later_prompts import later_prompts
from tokaudit.products.chat.work.laws import LAWS, Law
from tokaudit.products.chat.work.masks import Trainer, guessed
from tokaudit.products.chat.work.renderings import ChatIds
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_reference.spec import AddedToken

AT_ONCE = 64
WITHOUT_OFFSETS = EncodeOptions()  # no law asks for them, and ids alone are quicker
SHOWN = 5  # conversations that break a law, by name
DRAWN = 3  # rows that break one, token by token
Heard = Callable[[int], None]


def unheard(count: int) -> None:
    """Ignore the progress."""


@dataclass
class LawResult:
    """Result of one law over all conversations: counts, and the first that breaks it."""

    law: Law
    broken: int = 0
    conversations: list[str] = field(default_factory=list)
    first: str = ""
    tried: int = 0
    text: str = ""
    row: Conversation | None = None

    def add(self, given: Conversation, reason: str, text: str = "") -> None:
        """Add a conversation that breaks the law, with its rendered text."""
        self.broken += 1
        if self.row is None:
            self.first, self.text, self.row = reason, text, given
        if len(self.conversations) < SHOWN:
            self.conversations.append(given.id)


@dataclass(frozen=True)
class HeldChats:
    """Number of conversations, and the result of each law for their `use`."""

    conversations: int
    laws: tuple[LawResult, ...]
    ignored: Mapping[str, int] = field(default_factory=dict)
    use: str = ""

    @property
    def failing(self) -> tuple[LawResult, ...]:
        """Return the broken laws that the use requires."""
        return tuple(one for one in self.laws if one.broken and self.use in one.law.needed_by)

    @property
    def rows(self) -> tuple[Conversation, ...]:
        """Return the first row that breaks each failing law, without duplicates."""
        rows = {one.row.id: one.row for one in self.failing if one.row is not None}
        return tuple(rows.values())[:DRAWN]


def held(
    conversations: Iterator[Conversation],
    request: RenderRequest,
    renderer: ChatRenderer,
    ids: ChatIds,
    added: Iterable[AddedToken] = (),
    trainer: Trainer | None = None,
    heard: Heard = unheard,
    of_tools: str = "",
) -> HeldChats:
    """Render every conversation and check every law, in batches.

    `added` are the tokens that a rendered text may begin with; `of_tools` is the template of
    conversations with tools, where that is another.
    """
    results, count = tuple(map(LawResult, LAWS)), 0
    tokens = AddedTokens(tuple(added))
    while batch := tuple(islice(conversations, AT_ONCE)):
        for other, some in groupby(batch, lambda one: bool(of_tools) and one.tools is not None):
            given = tuple(some)
            asked = replace(request, template=of_tools) if other else request
            if chats := _rendered(given, asked, renderer, tokens, trainer, results[0]):
                _judge(chats, results, ChatIds(ids.tokenizer, WITHOUT_OFFSETS))
        count += len(batch)
        heard(count)
    return HeldChats(count, results)


def _rendered(
    batch: tuple[Conversation, ...],
    request: RenderRequest,
    renderer: ChatRenderer,
    tokens: AddedTokens,
    trainer: Trainer | None,
    renders: LawResult,
) -> list[RenderedChat]:
    """Render conversations by one template; failing ones are dropped from other laws."""
    rendered = renderer.render(replace(request, conversations=batch, react=False))
    if rendered.trouble is not None:
        renders.tried += len(batch)
        for given in batch:
            renders.add(given, rendered.error)
        return []
    written = rendered.conversations
    later = later_prompts(batch, written, request, renderer)
    return [
        RenderedChat(given, one, tokens, prompts, trainer or guessed(given, one))
        for given, one, prompts in zip(batch, written, later, strict=True)
    ]


def _judge(chats: Sequence[RenderedChat], results: Sequence[LawResult], ids: ChatIds) -> None:
    """Check some conversations against every law."""
    claims = [list(_claims(chat, results)) for chat in chats]
    differences = Differences(ids)
    differences.ask(claim for of_chat in claims for _, claim in of_chat)
    for chat, of_chat in zip(chats, claims, strict=True):
        broken: set[str] = set()
        for result, claim in of_chat:
            words = "" if result.law.id in broken else differences.broken(claim)
            if words:
                broken.add(result.law.id)
                result.add(chat.given, words, chat.text)


def _claims(chat: RenderedChat, results: Sequence[LawResult]) -> Iterator[tuple[LawResult, Claim]]:
    """Yield the claims of each law, up to the first that is broken without ids."""
    for result in results:
        result.tried += not result.law.of_tags or bool(chat.rendered.whole.plain.assistant)
        for claim in result.law.judged(chat):
            yield result, claim
            if claim.asked is None:
                break
        if not chat.rendered.whole.plain.ok:
            return
