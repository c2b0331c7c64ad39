"""Generation tags that mark something else than the assistant's words and their end."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.chat import ChatRendering, ChatRenderings
from tokaudit.engine.check import check
from tokaudit.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit.runtimes.chat.rendering import RenderedConversation
from tokaudit_suites.rendered_chats import ANSWERS, QUESTIONS, named, place_of, plain_chat, shown


@check(
    "chat_template/mask",
    title="Generation tags mark the assistant's words and their end",
    why="A trainer that asks for the assistant's mask learns from what `{% generation %}` holds: "
    "nothing at all without the tag, no stopping when the end of the turn is left outside.",
    remedy="Enclose the assistant's content and the token that ends it in "
    "{% generation %} and {% endgeneration %}.",
    severity=Severity.ERROR,
    basis=(Basis.INTRINSIC,),
    incident="huggingface/transformers #34172, huggingface/trl #4201.",
)
def mask(renderings: ChatRenderings) -> Iterator[Finding]:
    """Compare the spans of the tag with the words of a plain chat."""
    chats = [(one, chat) for one in renderings.usable if (chat := plain_chat(one)) is not None]
    if not chats:
        raise NotApplicable("no chat template renders a plain chat")
    for one, chat in chats:
        if "endgeneration" in one.template.text:
            yield from _judged(one, chat)
        else:
            yield Finding(
                Severity.INFO,
                f"{named(one.template)} has no generation tags, so a trainer that asks for the "
                "assistant's mask learns from nothing.",
                (place_of(one.template),),
                cause="no tags",
            )


def _judged(one: ChatRendering, chat: RenderedConversation) -> Iterator[Finding]:
    """The answer inside, the question outside, and the end of the turn inside."""
    rendering = chat.whole.plain
    text, spans = rendering.text, rendering.assistant
    inside = "".join(text[start:end] for start, end in spans)
    if not any(answer in inside for answer in ANSWERS):
        yield _finding(one, chat, "does not mark the assistant's words", Severity.ERROR)
    elif any(question in inside for question in QUESTIONS):
        yield _finding(one, chat, "marks the user's words as the assistant's", Severity.ERROR)
    elif inside.rstrip().endswith(ANSWERS) and text[spans[-1][1] :].strip():
        yield _finding(one, chat, "leaves the end of the assistant's turn unmarked", Severity.ERROR)


def _finding(
    one: ChatRendering, chat: RenderedConversation, what: str, severity: Severity
) -> Finding:
    text = chat.whole.plain.text
    marked = [text[start:end] for start, end in chat.whole.plain.assistant]
    return Finding(
        severity,
        f"{named(one.template)} {what}: in a plain chat its generation tags enclose {marked!r}.",
        (place_of(one.template),),
        (shown(chat.id, text),),
        cause=what,
    )
