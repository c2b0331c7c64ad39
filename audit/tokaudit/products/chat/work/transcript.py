"""A rendered conversation by token: the turn of each, and whether it is trained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from tokaudit.engine.evidence import token_names
from tokaudit.foundation.errors import NotApplicable, Skip, UpstreamTrouble
from tokaudit.products.chat.rendering.marking import Extent
from tokaudit.products.chat.rendering.rendering import RenderedConversation
from tokaudit.products.chat.rendering.segments import Segment, Unknown, segments
from tokaudit.products.chat.rendering.templates import taken_by_loaders
from tokaudit.products.chat.work.held_chats import HeldChats
from tokaudit.products.chat.work.laws import lost_messages
from tokaudit.products.chat.work.masks import MEANT, Trainer, guessed, mask_of
from tokaudit.products.chat.work.own_words import Headers, own_words, turn_headers
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering, ChatRenderings
from tokaudit.report.recorded import OF_TEMPLATE, Transcript, TranscriptToken
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_reference.spec import TokenizerSpec

# What a report shows: of each row the first that the template takes.
SHOWN = (("system-turns-2", "turns-2"), ("tool-call",))
MOST_TOKENS = 400  # of one conversation in a report


def transcripts_of(
    renderings: ChatRenderings, ids: ChatIds, spec: TokenizerSpec, held: HeldChats | None
) -> tuple[Transcript, ...]:
    """Return some conversations for a report, and user rows that break a law."""
    names, given = token_names(spec), {one.id: one for one in renderings.conversations}
    try:
        broken = held.rows if held is not None else ()
        rows = [
            [
                transcript(given[id], _taken(renderings, given[id]), renderings, ids, names)
                for id in row
            ]
            for row in (*SHOWN, *((one.id,) for one in broken))
            if renderings.usable
        ]
    except (NotApplicable, Skip, UpstreamTrouble):
        return ()
    shown = [next((one for one in row if one.tokens), None) for row in rows]
    return tuple(replace(one, tokens=one.tokens[:MOST_TOKENS]) for one in shown if one)


def _taken(renderings: ChatRenderings, given: Conversation) -> ChatRendering:
    """Return the rendering by the loaders' template, or the first usable one."""
    usable = {one.template.name: one for one in reversed(renderings.usable)}
    return usable.get(taken_by_loaders(usable, given), renderings.usable[0])


def transcript(
    given: Conversation,
    rendering: ChatRendering,
    renderings: ChatRenderings,
    ids: ChatIds,
    names: Mapping[int, str],
    trainer: Trainer | None = None,
) -> Transcript:
    """Return the conversation as tokens with roles, and the trained ones marked."""
    rendered = rendering.rendered.conversation(given.id)
    if rendered is None or not rendered.whole.plain.ok:
        error = rendering.rendered.error if rendered is None else rendered.whole.plain.error
        return Transcript(given.id, refused=error or "is not rendered")
    text = rendered.whole.plain.text
    trainer = trainer or guessed(given, rendered)
    encoding, trained = ids.one(text), mask_of(given, rendered, ids, trainer)
    found = segments(rendered, given.roles)
    parts = found.known if isinstance(found, Unknown) else found
    turns = _after_own_words(given, rendering, renderings, text, parts)
    if isinstance(found, Unknown) and rendered.extents:
        headers = _headers(rendering, renderings, rendered)
        if marked := marked_segments(text, rendered.extents, given.roles, headers):
            found, turns = marked, (*marked, Segment(0, len(text), OF_TEMPLATE, -1, len(text)))
            if isinstance(trained, Unknown) and trainer is Trainer.TURNS:
                spans = tuple((one.opening, one.end) for one in marked if one.opening < one.end)
                trained = ids.trained(text, spans)
    said = [
        Segment(*extent, given.roles[index], index, extent[1])
        for index, extent in enumerate(rendered.extents)
        if extent is not None
    ]
    roles = [_role(start, (*said, *turns)) for start, _ in encoding.offsets or ()]
    learned = [None] * len(roles) if isinstance(trained, Unknown) else list(trained)
    rows = zip(encoding.ids, roles, learned, strict=True)
    tokens = (TranscriptToken(id, names.get(id), role, flag) for id, role, flag in rows)
    why = [one.reason for one in (found, trained) if isinstance(one, Unknown)]
    return Transcript(
        given.id,
        text,
        tuple(tokens),
        unknown="; ".join(dict.fromkeys(why)),
        trainer=MEANT[trainer],
        lost=tuple(lost_messages(given, text)),
    )


def _headers(
    rendering: ChatRendering, renderings: ChatRenderings, rendered: RenderedConversation
) -> Headers:
    """Return the openings of each role's turns; the assistant's include the generation prompt's."""
    headers = turn_headers(rendering.rendered, renderings.conversations)
    usual = rendering.rendered.conversations[0].steps[:1]
    openings = [
        step.prompted.text.removeprefix(step.plain.text)
        for step in (*usual, *rendered.steps)
        if step.prompted is not None and step.prompted.text.startswith(step.plain.text)
    ]
    known = headers.get("assistant", ())
    return {**headers, "assistant": tuple(dict.fromkeys((*known, *openings)))}


def _after_own_words(
    given: Conversation,
    rendering: ChatRendering,
    renderings: ChatRenderings,
    text: str,
    parts: Sequence[Segment],
) -> tuple[Segment, ...]:
    """Return the segments, with the template's own first words as a separate one."""
    if not parts:
        return ()
    first = parts[0]
    headers = turn_headers(rendering.rendered, renderings.conversations)
    bos = renderings.special_tokens.get("bos_token", "")
    begins = own_words(text, first, given.messages[0], headers, bos)
    own = Segment(0, begins, OF_TEMPLATE, -1, begins)
    return (own, replace(first, start=begins), *parts[1:])


def _role(start: int, turns: Sequence[Segment]) -> str:
    return next((turn.role for turn in turns if turn.start <= start < turn.end), "")


def marked_segments(
    text: str, extents: Sequence[Extent | None], roles: Sequence[str], headers: Headers
) -> tuple[Segment, ...]:
    """Return a segment for each message in the text; None if words are missing or overlap."""
    said = sorted((span, index) for index, span in enumerate(extents) if span is not None)
    spans = [span for span, _ in said]
    if not spans or any(one[1] > other[0] for one, other in pairwise(spans)):
        return ()
    begins = list(_beginnings(text, said, roles, headers))
    ends = [*(start for start, _ in begins[1:]), len(text)]
    return tuple(
        Segment(start, end, roles[index], index, opening if roles[index] == "assistant" else end)
        for (start, opening), end, (_, index) in zip(begins, ends, said, strict=True)
    )


def _beginnings(
    text: str,
    said: Sequence[tuple[Extent, int]],
    roles: Sequence[str],
    headers: Headers,
) -> Iterator[tuple[int, int]]:
    """Yield the start of each turn, and of the words after its header."""
    before = 0
    for (start, end), index in said:
        between = text[before:start]
        places = [
            (at, len(header))
            for header in headers.get(roles[index], ())
            if header.strip() and (at := between.rfind(header)) >= 0
        ]
        unopened = 0 if roles[index] == "system" and not before else len(between)
        at, length = max(places, default=(unopened, 0))
        yield before + at, before + at + length
        before = end
