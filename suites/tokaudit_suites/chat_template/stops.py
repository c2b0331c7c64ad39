"""Turns whose end no list of stop tokens knows."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.comparison.evidence import token_names
from tokaudit.engine.chat import ChatIds, ChatRendering, ChatRenderings
from tokaudit.engine.check import check
from tokaudit.errors import NotApplicable, Skip
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit.runtimes.chat.rendering import RenderedConversation
from tokaudit.runtimes.chat.templates import DEFAULT
from tokaudit.subject.material import Fact, Subject
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites import stated_roles
from tokaudit_suites.rendered_chats import ANSWERS, ENDS, named, place_of, plain_chat, shown
from tokaudit_suites.wording import plural, quote, some


@check(
    "chat_template/stops",
    title="The token that ends an assistant's turn is one that generation stops at",
    why="A model ends its turn with the token that the template trains. When no list of stop "
    "tokens holds it, generation goes on and the model plays both sides of the conversation.",
    remedy="Add the id to eos_token_id in generation_config.json, or let the template end the "
    "assistant's turn with the eos token.",
    severity=Severity.ERROR,
    basis=(Basis.CROSS_FILE,),
    incident="Llama-3-Instruct as first released (vllm-project/vllm #4180), Gemma-3 QAT "
    "(lmstudio-ai/mlx-engine #142).",
)
def stops(
    renderings: ChatRenderings, spec: TokenizerSpec, subject: Subject, ids: ChatIds
) -> Iterator[Finding]:
    """Look for the added token that follows an answer, and look it up among the stop ids."""
    stated = stated_roles.role_ids(subject, "eos")
    if not stated:
        raise Skip("no config states the ids that end generation")
    known = _known(spec, subject, stated)
    chats = [(one, plain_chat(one)) for one in renderings.usable if one.template.name == DEFAULT]
    if not any(chat for _, chat in chats):
        raise NotApplicable("no chat template renders a plain chat")
    for one, chat in chats:
        if chat is not None:
            yield from _judged(one, chat, known, (spec, ids, stated))


def _known(spec: TokenizerSpec, subject: Subject, stated: list[tuple[Fact, list[int]]]) -> set[int]:
    """Every id that some file calls an end."""
    by_content = {token.content: token.id for token in spec.added_tokens}
    tokens = {content for _, content in stated_roles.role_tokens(subject, "eos")}
    named = {by_content[content] for content in tokens if content in by_content}
    if all(fact.file.endswith(".gguf") for fact, _ in stated):
        named |= {token.id for token in spec.added_tokens if ENDS.fullmatch(token.content)}
    return named.union(*(ids for _, ids in stated))


Context = tuple[TokenizerSpec, ChatIds, list[tuple[Fact, list[int]]]]


def _judged(
    one: ChatRendering, chat: RenderedConversation, known: set[int], context: Context
) -> Iterator[Finding]:
    spec, ids, stated = context
    text = chat.whole.plain.text
    at = max(text.rfind(answer) + len(answer) for answer in ANSWERS if answer in text)
    behind = ids.one(text[at:]).ids
    added = {token.id for token in spec.added_tokens} | known
    end = next((token for token in behind if token in added), None)
    names = token_names(spec)
    if end is None:
        yield _unended(one, chat, text, at)
    elif end not in known:
        lists = some([f"{fact.file} ({plural(len(ids), 'id')})" for fact, ids in stated])
        yield Finding(
            Severity.ERROR,
            f"{named(one.template)} ends an assistant's turn with {quote(names.get(end, '?'))} "
            f"(id {end}), at which nothing stops: not in {lists}.",
            (*(stated_roles.place_of(fact, "eos") for fact, _ in stated), place_of(one.template)),
            (shown(chat.id, text, ids.one(text).ids, names),),
            cause="not a stop",
        )


def _unended(one: ChatRendering, chat: RenderedConversation, text: str, at: int) -> Finding:
    """Nothing ends the answer: a marker that is not a token, or the next turn's opening."""
    behind = text[at:].strip()
    what = f"{behind!r}, which is not an added token" if behind else "nothing"
    return Finding(
        Severity.WARNING,
        f"{named(one.template)} ends an assistant's turn with {what}, so a model trained with it "
        f"does not learn to stop.",
        (place_of(one.template),),
        (shown(chat.id, text),),
        remedy="Let the template write the eos token after every answer, the last one included.",
        cause="unended",
    )
