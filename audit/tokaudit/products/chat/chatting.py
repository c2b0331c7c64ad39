"""`tokaudit.chat` and `tokaudit.hold_chats`: conversations as the chat template renders them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import structs

from tokaudit.engine.evidence import token_names
from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.options import FORMS, ChatFile, Options, WithUse
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.resolver import Needs
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles, OwnTemplate
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip, UnreadableError
from tokaudit.foundation.settings.numbers import Whole
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import setting
from tokaudit.foundation.settings.words import Text, Variables, Word
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.products.chat.rendering.templates import (
    DEFAULT,
    TOOL_USE,
    chat_templates,
    special_tokens,
    taken_by_loaders,
)
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.chat_client import renderer_of
from tokaudit.products.chat.work.held_chats import Heard, held, unheard
from tokaudit.products.chat.work.held_chats import HeldChats as HeldChats
from tokaudit.products.chat.work.masks import Trainer
from tokaudit.products.chat.work.renderings import (
    ChatIds,
    ChatRendering,
    ChatRenderings,
    render_all,
)
from tokaudit.products.chat.work.transcript import transcript
from tokaudit.report.recorded import Transcript
from tokaudit.subject.conversations.conversation import Conversation, named_apart, role_matrix
from tokaudit.subject.conversations.reading import ChatData
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.versions import FOUR_SHORT
from tokaudit_reference.spec import TokenizerSpec

SHOWN = ("system-turns-2", "tool-call", "reasoning")  # of ours, where no file is named
MOST_SHOWN = 50

DIALECTS = {"5": Dialect.TRANSFORMERS_5, FOUR_SHORT: Dialect.TRANSFORMERS_4}


@dataclass(frozen=True, kw_only=True)
class OfChats(OwnTemplate, BareFiles):
    """Conversations to render, and the template and dialect for them."""

    conversations: NamedPath | Sequence[Conversation] | None = setting(
        None, f"a file of conversations to show: {FORMS}", ChatFile(), "a few built-in chats"
    )
    var: Mapping[str, Any] | Sequence[str] = setting(
        (),
        "a variable for the chat template, such as enable_thinking=false; may be given again",
        Variables(),
        "none",
    )
    template: str = setting(
        DEFAULT,
        "the name of the chat template to use, if the tokenizer has several templates",
        Text("NAME", "a name"),
        "default",
    )
    dialect: str = setting(
        "5", "render chats as this version of transformers does", Word("VERSION", tuple(DIALECTS))
    )
    trainer: str | None = setting(
        None,
        "show the loss mask that this trainer uses",
        Word("TRAINER", tuple(Trainer)),
        "trl-completion for rows with prompt and completion, tags for templates with generation "
        "tags, else turns",
    )


@dataclass(frozen=True, kw_only=True)
class ChatSettings(OfChats):
    """Settings of `chat`."""

    first: int = setting(
        MOST_SHOWN,
        "how many conversations of the --conversations file to show",
        Whole(least=1, most=MOST_SHOWN),
    )


@dataclass(frozen=True, kw_only=True)
class HoldSettings(WithUse, OfChats):
    """Settings for checks of all conversations."""


@dataclass(frozen=True, kw_only=True)
class HeldSettings(HoldSettings):
    """Settings of `hold_chats`; `heard` gets the number of conversations so far."""

    heard: Heard = unheard


@keywords(ChatSettings)
def chat(subject: SubjectName, asked: ChatSettings) -> tuple[Transcript, ...]:
    """Render conversations with the template that loaders use, and give each token its role.

    The first of the `conversations` file are shown, or a few of ours.  The template runs in a
    worker, and the ids are the reference's.  Raises `UnreadableError` where there is no template.
    """
    given = tuple(islice(_conversations(asked), asked.first))
    ours = all(one in role_matrix() for one in given)  # which are rendered in any case
    given = given if ours else named_apart(given)
    with _opened(subject, asked) as (opened, needs, workers):
        spec = needs.get(TokenizerSpec)
        renderer, dialect = renderer_of(workers), DIALECTS[asked.dialect]
        renderings = render_all(opened, spec, renderer, () if ours else given, dialect)
        names, ids = token_names(spec), needs.get(ChatIds)
        wanted = [each.id for each in given] or SHOWN
        shown = [each for each in renderings.conversations if each.id in wanted]
        trainer = None if asked.trainer is None else Trainer(asked.trainer)
        return tuple(
            transcript(
                *(each, _chosen(renderings, asked.template, each), renderings, ids, names, trainer)
            )
            for each in shown
        )


@keywords(HeldSettings)
def hold_chats(subject: SubjectName, asked: HeldSettings) -> HeldChats:
    """Check a file of conversations, or ours, for training, rollouts or serving.

    The file is read as it is rendered, so that memory stays flat.  Raises `UnreadableError` where
    there is no template, or where the file holds something else.
    """
    if asked.conversations is None:
        asked = replace(asked, conversations=ordinary_conversations())
    with _opened(subject, asked) as (opened, needs, workers):
        spec = needs.get(TokenizerSpec)
        templates = {one.name: one.text for one in reversed(chat_templates(opened))}
        if asked.template not in templates:
            raise NotApplicable(_unknown(asked.template, templates))
        request = RenderRequest(
            templates[asked.template],
            (),
            special_tokens(opened, spec),
            DIALECTS[asked.dialect],
        )
        renderer, ids = renderer_of(workers), needs.get(ChatIds)
        ignored: Counter[str] = Counter()
        given = _conversations(asked, ignored)
        trainer = None if asked.trainer is None else Trainer(asked.trainer)
        of_tools = templates.get(TOOL_USE, "") if asked.template == DEFAULT else ""
        asking = (given, request, renderer, ids, spec.added_tokens, trainer, asked.heard)
        found = held(*asking, of_tools=of_tools)
        return replace(found, ignored=dict(ignored), use=asked.use or "")


def ordinary_conversations() -> tuple[Conversation, ...]:
    """Return built-in conversations that every client sends: turns, calls, reasoning."""
    ids = ("system-turns-3", "turns-4", "tool-turns", "tool-calls-in-turn", "reasoning-turns")
    return tuple(one for one in role_matrix() if one.id in ids)


NO_TEMPLATE = "the tokenizer has no chat template"


@contextmanager
def _opened(subject: SubjectName, asked: OfChats) -> Iterator[tuple[Subject, Needs, Workers]]:
    """Yield the subject, its needs and its workers, which end with the block."""
    options = Options()
    opened = subject_of(subject, asked)
    workers = Workers(options.limits())
    try:
        yield opened, audit_needs(opened, options, workers), workers
    except (NotApplicable, Skip) as error:
        raise UnreadableError(f"{opened.name}: {error}") from error
    finally:
        workers.close()


def _conversations(asked: OfChats, ignored: Counter[str] | None = None) -> Iterator[Conversation]:
    """Yield the conversations of the file or the call, with the requested variables."""
    given = asked.conversations
    if given is None:
        return
    found: Iterable[Conversation]
    if isinstance(given, str | os.PathLike):
        found = ChatData(Path(given), Counter() if ignored is None else ignored).conversations()
    else:
        found = given
    variables = dict(asked.var) if isinstance(asked.var, Mapping) else {}
    for one in found:
        yield structs.replace(one, variables={**one.variables, **variables}) if variables else one


def _chosen(renderings: ChatRenderings, name: str, given: Conversation) -> ChatRendering:
    """Return the first template of that name, or else the one that loaders use."""
    found = {one.template.name: one for one in reversed(renderings.all)}
    name = taken_by_loaders(found, given) if name == DEFAULT else name
    if name not in found:
        raise NotApplicable(_unknown(name, found))
    return found[name]


def _unknown(name: str, known: Iterable[str]) -> str:
    there = ", ".join(known)
    return f"{NO_TEMPLATE} {name!r}; its templates: {there}" if there else NO_TEMPLATE
