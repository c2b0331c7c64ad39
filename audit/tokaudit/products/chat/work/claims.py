"""Claims that a conversation breaks a law, some of which depend on ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from tokaudit.products.chat.rendering.rendering import RenderedConversation
from tokaudit.products.chat.work.later_prompts import LaterPrompt
from tokaudit.products.chat.work.masks import Trainer, shared
from tokaudit.products.chat.work.renderings import ChatIds
from tokaudit.runtimes.protocol import Continuation
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_reference.spec import AddedToken

TOKEN = "{token}"  # in the words of a claim: the place of the first id that differs


@dataclass(frozen=True)
class AddedTokens:
    """Added tokens that a rendered text may begin with."""

    known: tuple[AddedToken, ...]

    @cached_property
    def _of(self) -> Mapping[str, AddedToken]:
        return {each.content: each for each in self.known if each.content}

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(sorted(set(map(len, self._of)), reverse=True))

    def begin_twice(self, text: str) -> bool:
        """Return whether the longest token at the start occurs twice in a row."""
        first = self._first(text)
        token = self._of.get(first)
        if token is None:
            return False
        rest = text[len(first) :]
        if token.lstrip or token.rstrip:
            rest = rest.lstrip()
        return self._first(rest) == first

    def _first(self, text: str) -> str:
        return next((text[:size] for size in self._sizes if text[:size] in self._of), "")


class RenderedChat(msgspec.Struct, frozen=True, gc=False):
    """A conversation, its rendered text now and later, and its trainer."""

    given: Conversation
    rendered: RenderedConversation
    added: AddedTokens
    later: tuple[LaterPrompt, ...] = ()
    trainer: Trainer = Trainer.TURNS

    @property
    def text(self) -> str:
        """Return the whole rendered conversation."""
        return self.rendered.whole.plain.text


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A broken law in words; with `asked`, only if a text's ids differ."""

    words: str
    asked: Continuation | None = None


@dataclass
class Differences:
    """Positions where texts' ids differ from their parts', computed in one request."""

    ids: ChatIds
    _known: dict[Continuation, int] = field(default_factory=dict)

    def ask(self, claims: Iterable[Claim]) -> None:
        """Compute the positions of all claims in one request."""
        asked = list(dict.fromkeys(one.asked for one in claims if one.asked is not None))
        find = getattr(self.ids.tokenizer, "differences", None)
        found: Sequence[int | None] = find(asked) if find else [None] * len(asked)
        pairs = list(zip(asked, found, strict=True))
        unknown = [one for one, place in pairs if place is None]
        self.ids.of([text for one in unknown for text in _texts(one)])  # in one question as well
        self._known.update((one, place) for one, place in pairs if place is not None)
        self._known.update((one, self._compared(one)) for one in unknown)

    def broken(self, claim: Claim) -> str:
        """Return the words of a confirmed claim, else ""."""
        if claim.asked is None:
            return claim.words
        place = self._known[claim.asked]
        return "" if place < 0 else claim.words.replace(TOKEN, str(place))

    def _compared(self, asked: Continuation) -> int:
        """Compute a position from the ids themselves."""
        found = self.ids.one(asked.text).ids
        parts = (self.ids.one(one).ids if isinstance(one, str) else one for one in asked.spelled())
        expected = tuple(id for part in parts for id in part)
        same = shared(found, expected)
        whole = same == len(expected) and not (asked.whole and len(found) > same)
        return -1 if whole else same


def _texts(asked: Continuation) -> Iterator[str]:
    yield from (part for part in asked.spelled() if isinstance(part, str))
    yield asked.text
