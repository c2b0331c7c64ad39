"""Needs of chat checks: rendered templates, and markers tried in users' words."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.engine.collected import Collector
from tokaudit.engine.needs import Base, Options, Reference
from tokaudit.engine.resolver import need, need_from_worker
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, NotGiven, Skip
from tokaudit.products.chat.engines.client import EngineRenderings, render_by_engines
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.products.chat.rendering.templates import (
    DEFAULT,
    TOOL_USE,
    chat_templates,
    special_tokens,
)
from tokaudit.products.chat.work.cache_renderings import CacheRenderings, render_later
from tokaudit.products.chat.work.chat_client import renderer_of
from tokaudit.products.chat.work.held_chats import HeldChats, held
from tokaudit.products.chat.work.injection import BaseInjectionTrials, InjectionTrials, try_all
from tokaudit.products.chat.work.part_renderings import PartRenderings, render_parts
from tokaudit.products.chat.work.renderings import (
    BaseChatRenderings,
    ChatIds,
    ChatRenderings,
    UntrimmedRenderings,
    render_all,
    render_untrimmed,
)
from tokaudit.products.chat.work.shapes.apart import BaseShapeTexts
from tokaudit.products.chat.work.shapes.renderings import (
    ShapeRenderings,
    render_shapes,
    texts_of_base,
)
from tokaudit.products.chat.work.transcript import transcripts_of
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import TokenizerSpec


@need_from_worker
def chat_renderings(
    workers: Workers, subject: Subject, spec: TokenizerSpec | None, options: Options
) -> ChatRenderings:
    """Render every chat template, even if the tokenizer does not parse."""
    return render_all(subject, spec, renderer_of(workers), options.chats())


@need_from_worker
def untrimmed_renderings(workers: Workers, renderings: ChatRenderings) -> UntrimmedRenderings:
    """Render every chat template again, without trimming the white space next to tags."""
    return render_untrimmed(renderings, renderer_of(workers))


@need_from_worker
def engine_renderings(workers: Workers, renderings: ChatRenderings) -> EngineRenderings:
    """Render every chat template by the installed engines."""
    templates = [one.template.text for one in renderings.usable]
    given, special = renderings.conversations, renderings.special_tokens
    return render_by_engines(templates, given, special, workers.limits)


@need_from_worker
def part_renderings(workers: Workers, renderings: ChatRenderings) -> PartRenderings:
    """Render every chat template over conversations with distinct words in every part."""
    return render_parts(renderings, renderer_of(workers))


@need_from_worker
def shape_renderings(workers: Workers, renderings: ChatRenderings) -> ShapeRenderings:
    """Render every chat template over the grammar of clients' conversations."""
    return render_shapes(renderings, renderer_of(workers))


@need_from_worker
def cache_renderings(workers: Workers, renderings: ChatRenderings) -> CacheRenderings:
    """Render every chat template on another day, and with tools in another order."""
    return render_later(renderings, renderer_of(workers))


@need
def base_chat_renderings(workers: Workers, base: Base, options: Options) -> BaseChatRenderings:
    """Render every chat template of the base."""
    renderer, more = renderer_of(workers), options.chats()
    return BaseChatRenderings(render_all(base.subject, base.spec, renderer, more))


@need_from_worker
def base_shape_texts(
    workers: Workers, renderings: ChatRenderings, base: BaseChatRenderings
) -> BaseShapeTexts:
    """Render the base's templates over the grammar, unless they are the subject's."""
    return texts_of_base(renderings, base.renderings, renderer_of(workers))


@need_from_worker
def chat_ids(reference: Reference, spec: TokenizerSpec, workers: Workers) -> ChatIds:
    """Encode rendered texts with the reference, parsing markers as engines do.

    Mistral's and SentencePiece's own libraries read no special token from text.
    """
    if spec.control_from_text:
        return ChatIds(reference)
    parsing = reference_request(replace(spec, control_from_text=True))
    try:
        return ChatIds(workers.open("rendered", parsing))
    except (UpstreamRefused, WorkerCrashed) as error:
        why = str(error).removeprefix("Unsupported: ")
        raise Skip(f"tokaudit's reference encoder cannot run this file: {why}") from error


@need_from_worker
def injection_trials(
    workers: Workers, renderings: ChatRenderings, spec: TokenizerSpec, ids: ChatIds
) -> InjectionTrials:
    """Try the templates' markers in the words of users and tools."""
    return try_all(renderings, spec, ids, renderer_of(workers))


@need_from_worker
def base_injection_trials(
    workers: Workers, base: Base, renderings: BaseChatRenderings
) -> BaseInjectionTrials:
    """Try the markers on the base, by the reference."""
    _, spec = parse_all(base.subject).parsed[0]
    try:
        tokenizer = workers.open("base", reference_request(spec))
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(
            f"tokaudit's reference encoder cannot run the base tokenizer: {error}"
        ) from error
    found = try_all(renderings.renderings, spec, ChatIds(tokenizer), renderer_of(workers))
    return BaseInjectionTrials(found)


@need_from_worker
def held_chats(
    workers: Workers,
    subject: Subject,
    spec: TokenizerSpec,
    ids: ChatIds,
    options: Options,
) -> HeldChats:
    """Check the user's conversations against the laws, as `tokaudit chat --check` does."""
    given = options.chats()
    if not given:
        raise NotGiven("no --conversations")
    templates = {one.name: one.text for one in reversed(chat_templates(subject))}
    if DEFAULT not in templates:
        raise NotApplicable("the tokenizer has no chat template")
    request = RenderRequest(templates[DEFAULT], (), special_tokens(subject, spec))
    asking = (iter(given), request, renderer_of(workers), ids, spec.added_tokens)
    found = held(*asking, of_tools=templates.get(TOOL_USE, ""))
    return replace(found, use=options.use or "")


TRANSCRIPTS = Collector("transcripts", transcripts_of)
