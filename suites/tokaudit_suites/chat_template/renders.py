"""Templates that do not render a plain chat, and the conversations that they refuse."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.engine.conversations.part_renderings import PartRendering, PartRenderings
from tokaudit.engine.conversations.renderings import ChatRendering, ChatRenderings
from tokaudit.report.model import Basis, Evidence, Finding, Harm, Severity
from tokaudit.runtimes.chat.conversations import Conversation
from tokaudit.runtimes.chat.rendering import Trouble
from tokaudit.runtimes.chat.templates import DEFAULT
from tokaudit_suites.chat_template._parts import part_finding
from tokaudit_suites.shared.rendered_chats import (
    PLAIN_CHATS,
    is_changed,
    is_plain,
    named,
    place_of,
    plain_chat,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.wording import plural, some


@check(
    "chat_template/renders",
    title="The chat template renders a plain chat",
    why="A template that does not compile, or that fails on one question and one answer, takes "
    "every request down; a role that it refuses is an error 500 for ordinary clients.",
    remedy="Take the template of the upstream model, or correct the line that the error names.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.INTRINSIC,),
    incident="Templates that refuse a system message (EleutherAI/lm-evaluation-harness #3076).",
)
def renders(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[Finding]:
    """Render the role matrix by every template, and a question with tools."""
    for one in renderings.all:
        if one.rendered.trouble is Trouble.UNSAFE:
            continue  # chat_template/safe says why nothing is rendered
        if one.rendered.trouble is not None:
            yield _finding(one, f"is not rendered: {one.rendered.error}", "template")
        elif is_changed(one):
            continue  # chat_template/turns says how its words are written
        elif one.template.name == DEFAULT and plain_chat(one) is None:
            words = _words(one)
            yield _finding(one, f"fails on one question and one answer: {words}", "plain chat")
        else:
            yield from _failures(one, renderings.conversations)
            yield from _refusals(one)
    for part in parts.all:
        yield from _with_tools(part)


def _with_tools(one: PartRendering) -> Iterator[Finding]:
    """A template that fails as soon as tools are offered, or as soon as there are none."""
    without, offered = one.plain("tools-none"), one.plain("tools-two")
    for found, other, when in (
        (offered, without, "where tools are offered"),
        (without, offered, "unless tools are offered"),
    ):
        if other.ok and found.trouble is Trouble.FAILED:
            said = (f"fails {when}", f"fails {when}: {found.error}")
            yield part_finding(one, Severity.WARNING, said, ("tools-two", found))


def _finding(one: ChatRendering, what: str, cause: str) -> Finding:
    facts = Evidence("facts", facts={"error": one.rendered.error or _words(one)})
    text = f"{named(one.template)} {what}."
    return Finding(Severity.ERROR, text, (place_of(one.template),), (facts,), cause=cause)


def _words(one: ChatRendering) -> str:
    """The error of the first plain chat, at the first step that has one."""
    found = one.rendered.conversation(PLAIN_CHATS[0])
    steps = found.steps if found else ()
    errors = (r.error for s in steps for r in (s.plain, s.prompted) if r is not None and not r.ok)
    return next(errors, "the words of the messages are not in the text")


def _failures(one: ChatRendering, all: tuple[Conversation, ...]) -> Iterator[Finding]:
    """A chat of texts that breaks the template, where it renders others and refuses none.

    What `raise_exception` says is a refusal, and templates for lists of parts take no texts.
    """
    chat = plain_chat(one)
    if chat is None or chat.id == "parts-text":
        return
    for conversation in filter(is_plain, all):
        found = one.rendered.conversation(conversation.id)
        if found is not None and found.whole.plain.trouble is Trouble.FAILED:
            what = f"fails on the conversation {conversation.id}: {found.whole.plain.error}"
            facts = Evidence("facts", facts={"error": found.whole.plain.error})
            text = f"{named(one.template)} {what.rstrip('.')}."
            place = (place_of(one.template),)
            yield Finding(Severity.ERROR, text, place, (facts,), cause="fails on a chat")
            return


def _refusals(one: ChatRendering) -> Iterator[Finding]:
    """Which conversations have no text, and in which words."""
    reported = {c.id: c.whole.plain for c in one.rendered.conversations if not c.whole.plain.ok}
    if reported:
        yield Finding(
            Severity.INFO,
            f"{named(one.template)} refuses {plural(len(reported), 'conversation')} of "
            f"{len(one.rendered.conversations)}: {some(list(reported))}.",
            (place_of(one.template),),
            (Evidence("facts", facts={id: rendering.error for id, rendering in reported.items()}),),
            remedy="Nothing, where clients never send such conversations.",
            cause="refused",
        )
