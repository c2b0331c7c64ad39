"""Templates that do not render a plain chat, and the conversations that they refuse."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.options import Options
from tokaudit.plugin import Basis, Evidence, Finding, Harm, Severity, check
from tokaudit.products.chat.rendering.rendering import Trouble
from tokaudit.products.chat.rendering.templates import DEFAULT
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.products.chat.work.shapes.renderings import ShapeRenderings
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit_suites.chat_template._failing_shapes import failing_shapes, refused_amounts
from tokaudit_suites.chat_template._template_markers import COMMENT
from tokaudit_suites.shared.rendered_chats import (
    PLAIN_CHATS,
    is_changed,
    is_plain,
    named,
    place_of,
    plain_chat,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import plural, some

BROKEN = (Trouble.FAILED, Trouble.LIMIT)


@check(
    "chat_template/renders",
    title="The chat template renders a plain chat",
    why="If a chat template does not compile, or fails on a chat of one question and one answer, "
    "every request to the model fails. If a chat template refuses a role that ordinary clients "
    "use, the server answers their requests with HTTP error 500.",
    remedy="Copy the template of the upstream model, or correct the line that the error names.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.INTRINSIC,),
    incident="Templates that refuse a system message (EleutherAI/lm-evaluation-harness #3076).",
)
def renders(
    renderings: ChatRenderings, shapes: ShapeRenderings, options: Options
) -> Iterator[Finding]:
    """Render the role matrix by every template, and the grammar of what clients send."""
    for one in renderings.all:
        if one.rendered.trouble is Trouble.UNSAFE:
            continue  # chat_template/safe says why nothing is rendered
        if one.rendered.trouble is not None:
            yield _finding(one, f"cannot be rendered: {one.rendered.error}", "template")
        elif is_changed(one):
            continue  # chat_template/turns says how its words are written
        elif one.template.name == DEFAULT and plain_chat(one) is None:
            words = _words(one)
            yield _finding(one, f"fails on one question and one answer: {words}", "plain chat")
        else:
            found = shapes.by_text[one.template.text]
            failures = list(failing_shapes(one, found))
            yield from failures or _failures(one, renderings.conversations)
            for refusal in refused_amounts(one, found):
                yield for_use(refusal, options, {"serving": Severity.WARNING})
            yield from _refusals(one)
            yield from _refuses_by_order(one)


def _finding(one: ChatRendering, what: str, cause: str) -> Finding:
    facts = Evidence("facts", facts={"error": one.rendered.error or _words(one)})
    text = f"{named(one.template)} {what}."
    return Finding(Severity.ERROR, text, (place_of(one.template),), (facts,), cause=cause)


def _words(one: ChatRendering) -> str:
    """Return the error of the first plain chat, at its first failing step."""
    found = one.rendered.conversation(PLAIN_CHATS[0])
    steps = found.steps if found else ()
    errors = (r.error for s in steps for r in (s.plain, s.prompted) if r is not None and not r.ok)
    return next(errors, "the words of the messages are not in the text")


def _failures(one: ChatRendering, all: tuple[Conversation, ...]) -> Iterator[Finding]:
    """Report conversations on which the template fails, unless the grammar shows it already.

    What `raise_exception` says is a refusal, and templates for lists of parts take no texts.
    """
    chat = plain_chat(one)
    if chat is None or chat.id == "parts-text":
        return
    for conversation in all:
        found = one.rendered.conversation(conversation.id)
        if found is not None and found.whole.plain.trouble in BROKEN:
            if conversation.continue_final:
                continue
            error = found.whole.plain.error
            what = f"fails on the test conversation {conversation.id!r}: {error}"
            text = f"{named(one.template)} {what.rstrip('.')}."
            place, facts = (place_of(one.template),), Evidence("facts", facts={"error": error})
            plain = is_plain(conversation)
            severity = Severity.ERROR if plain else Severity.WARNING
            cause = "fails on a chat" if plain else "fails on a conversation"
            yield Finding(severity, text, place, (facts,), cause=cause)
            return


def _refusals(one: ChatRendering) -> Iterator[Finding]:
    """Report the conversations that the template refuses, with its messages."""
    texts = {chat.id: chat.whole.plain for chat in one.rendered.conversations}
    reported = {id: found for id, found in texts.items() if found.trouble is Trouble.RAISED}
    if reported:
        yield Finding(
            Severity.INFO,
            f"{named(one.template)} refuses {plural(len(reported), 'conversation')} of "
            f"{len(one.rendered.conversations)}: {some(list(reported))}.",
            (place_of(one.template),),
            (Evidence("facts", facts={id: rendering.error for id, rendering in reported.items()}),),
            remedy="Leave the chat template as it is if clients never send such conversations.",
            cause="refused",
        )


def _refuses_by_order(one: ChatRendering) -> Iterator[Finding]:
    """Report a system message refused as out of order, though the template reads it."""
    if "system" not in COMMENT.sub("", one.template.text):
        return
    asked = ("turns-1", "system-turns-1", "users-in-a-row")
    plain, system, twice = (one.rendered.conversation(id) for id in asked)
    if not (plain and system and twice and plain.whole.plain.ok):
        return
    refused, order = system.whole.plain, twice.whole.plain
    if refused.trouble is Trouble.RAISED and refused.error == order.error:
        yield Finding(
            Severity.WARNING,
            f"{named(one.template)} reads a system message, but refuses the conversation with its "
            f"error for roles out of order: {refused.error}.",
            (place_of(one.template),),
            (Evidence("facts", facts={asked[1]: refused.error, asked[2]: order.error}),),
            remedy="Check the order of roles only for the messages after the system message.",
            cause="refuses what it reads",
        )
