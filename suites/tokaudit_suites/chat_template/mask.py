"""Generation tags that cover more or less than the assistant's words and their end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tokaudit.engine.options import Options
from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    check,
    first_difference,
    token_names,
    view,
)
from tokaudit.products.chat.rendering.rendering import RenderedConversation
from tokaudit.products.chat.rendering.segments import Unknown, segments
from tokaudit.products.chat.work.part_renderings import PartRenderings
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering, ChatRenderings
from tokaudit_reference.batching.labels import labelled
from tokaudit_reference.batching.padding import IGNORED
from tokaudit_reference.batching.spans import Rule, union
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._marked_spans import wrong_spans
from tokaudit_suites.chat_template._parts import with_parts
from tokaudit_suites.shared.rendered_chats import (
    ANSWERS,
    QUESTIONS,
    named,
    outside_tags,
    place_of,
    plain_chat,
    shown,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import about

ASSISTANT = "assistant"
UNMARKED_END = "leaves the end of the assistant's turn unmarked"


@check(
    "chat_template/mask",
    title="Generation tags mark the assistant's tokens exactly",
    why="A trainer that uses the assistant mask trains only on the text inside `{% generation "
    "%}`. Without `{% generation %}` tags in the template, the model learns nothing; if the "
    "end-of-turn token is outside the tags, the model does not learn to stop.",
    remedy="In the chat template, enclose the assistant's content and the end-of-turn token in "
    "{% generation %} and {% endgeneration %}.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    incident="huggingface/transformers #34172, huggingface/trl #4201.",
)
def mask(
    renderings: ChatRenderings,
    parts: PartRenderings,
    ids: ChatIds | None,
    spec: TokenizerSpec | None,
    options: Options,
) -> Iterator[Finding]:
    """Compare the tagged spans with the assistant's words in a chat of one and of several turns."""
    roles = {each.id: each.roles for each in renderings.conversations}
    chats = [(one, chat) for one in renderings.usable if (chat := plain_chat(one)) is not None]
    if not chats:
        raise NotApplicable("no chat template renders a plain chat")
    for (one, chat), part in zip(chats, with_parts(renderings, parts), strict=True):
        if "endgeneration" in one.template.text:
            faults = list(_faults(chat))
            if not faults:
                yield from wrong_spans(part)
            for what in faults:
                evidence = shown(chat.id, chat.whole.plain.text)
                if ids is not None and spec is not None:
                    evidence = _with_labels(evidence, chat, roles[chat.id], ids, token_names(spec))
                ends = (outside_tags(chat),) if what is UNMARKED_END else ()
                yield _finding(one, chat, what, (evidence, *ends))
        else:
            untagged = Finding(
                Severity.INFO,
                f"{named(one.template)} has no generation tags, so a trainer that uses the "
                "assistant's mask learns nothing.",
                (place_of(one.template),),
                cause="no tags",
            )
            yield for_use(untagged, options, {"sft": Severity.WARNING})


def _faults(chat: RenderedConversation) -> Iterator[str]:
    """Yield faults: the answer and its end belong inside the tags, the question outside."""
    rendering = chat.whole.plain
    text, spans = rendering.text, rendering.assistant
    inside = "".join(text[start:end] for start, end in spans)
    if not any(answer in inside for answer in ANSWERS):
        yield "does not mark the assistant's words"
    elif any(question in inside for question in QUESTIONS):
        yield "marks the user's words as the assistant's"
    elif inside.rstrip().endswith(ANSWERS) and text[spans[-1][1] :].strip():
        yield UNMARKED_END


def _with_labels(
    evidence: Evidence,
    chat: RenderedConversation,
    roles: Sequence[str],
    ids: ChatIds,
    names: Mapping[int, str],
) -> Evidence:
    """Add the labels that a trainer derives from the tags, and from the assistant's turns."""
    encoding, parts = ids.one(chat.whole.plain.text), segments(chat, roles)
    if encoding.offsets is None or isinstance(parts, Unknown):
        return evidence
    turns = [(part.opening, part.end) for part in parts if part.role == ASSISTANT]
    expected, actual = (
        labelled(
            encoding.ids,
            encoding.offsets,
            [(ASSISTANT, *span) for span in union(spans)],
            rule=Rule.ANY,
        ).labels
        for spans in (turns, chat.whole.plain.assistant)
    )
    named_too = {**names, IGNORED: "masked"}
    return replace(
        evidence,
        expected=view(expected, named_too),
        actual=view(actual, named_too),
        expected_label="labels of the assistant's turns",
        actual_label="labels by the tags",
        first_difference=first_difference(expected, actual),
    )


def _finding(
    one: ChatRendering, chat: RenderedConversation, what: str, evidence: tuple[Evidence, ...]
) -> Finding:
    text = chat.whole.plain.text
    marked = [text[start:end] for start, end in chat.whole.plain.assistant]
    return Finding(
        Severity.ERROR,
        f"{named(one.template)} {what}: in a plain chat, the generation tags of the template "
        f"enclose {marked!r}.",
        (place_of(one.template),),
        evidence,
        cause=what,
        about=about(*marked),
    )
