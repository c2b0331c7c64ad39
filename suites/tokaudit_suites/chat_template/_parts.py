"""Words of each part in `parts.jsonl`, with questions that several checks share."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.plugin import Finding, NotApplicable, Severity
from tokaudit.products.chat.rendering.rendering import Rendering
from tokaudit.products.chat.rendering.templates import DEFAULT
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit_suites.chat_template._template_markers import COMMENT
from tokaudit_suites.shared.rendered_chats import place_of, plain_chat, shown

QUESTION, ANSWER = "Light the towpath, please.", "Quillon harbour glows."
FIRST_ANSWER, SECOND_QUESTION = "Otters ferry the lamps.", "Where is the sluice?"
SYSTEM, BEFORE_CALL = "Mind the heron.", "Brambles ahead."
REASON = "Marsh fog thins at dawn."
TOOL, ARGUMENTS, OTHER_TOOL = "weave_lantern", ("orchard", "bushels"), "fetch_kestrel"
VALUE, OTHER_VALUE = "Velmora", "Ondrassel"
RESULT, OTHER_RESULT = "amber thicket", "russet gable"


def with_parts(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[PartRendering]:
    """Yield each template that renders a plain chat; `chat_template/renders` has the others."""
    pairs = zip(renderings.usable, parts.all, strict=True)
    found = [part for one, part in pairs if plain_chat(one) is not None]
    if not found:
        raise NotApplicable("no chat template renders a plain chat")
    yield from found


def with_calls(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[PartRendering]:
    """Yield the templates that write calls with arguments, and so support tools."""
    found = [one for one in with_parts(renderings, parts) if writes_calls(one)]
    if not found:
        raise NotApplicable("no chat template writes calls of tools")
    yield from found


def with_tools(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[PartRendering]:
    """Yield the templates that write calls or the offered tools."""
    found = [one for one in with_parts(renderings, parts) if writes_calls(one) or offers_tools(one)]
    if not found:
        raise NotApplicable("no chat template writes tools or calls of tools")
    yield from found


def writes_calls(one: PartRendering) -> bool:
    """Return whether a turn with a call contains the tool's name and an argument."""
    text = one.plain("call", 2).text or one.plain("call").text
    return TOOL in text and VALUE in after_last(text, QUESTION)


def offers_tools(one: PartRendering) -> bool:
    """Return whether a prompt contains its conversation's tools."""
    return TOOL in one.plain("tools-two").text


def after_last(text: str, start: str) -> str:
    """Return the text after the last `start`; empty if it is missing.

    >>> after_last("a: x; a: y.", "a:"), after_last("a: x", "b")
    (' y.', '')
    """
    _, found, rest = text.rpartition(start)
    return rest if found else ""


OPENING = re.compile(r"<(\w+)>")


def unclosed(before: str, after: str) -> str:
    """Return the first tag that is opened before some words and never closed; "" if none is.

    >>> unclosed("<a></a><b>", "x"), unclosed("<b>", "x</b>")
    ('b', '')
    """
    open = (name for name in OPENING.findall(before) if f"</{name}>" not in before)
    return next((name for name in open if f"</{name}>" not in after), "")


def source(one: PartRendering) -> str:
    """Return the template without comments, which may mention things it does not do."""
    return COMMENT.sub("", one.template.text)


def part_named(one: PartRendering) -> str:
    """Name a template for messages."""
    name = "" if one.template.name == DEFAULT else f" '{one.template.name}'"
    return f"The chat template{name} in {one.template.file}"


def part_finding(
    part: PartRendering,
    severity: Severity,
    said: tuple[str, str],
    shows: tuple[str, Rendering],
    remedy: str = "",
    compared: tuple[tuple[str, Rendering], ...] = (),
) -> Finding:
    """Build a finding; `said` holds its cause and the fault of the template.

    `compared` are the texts next to the one that `shows` it.
    """
    cause, what = said
    evidence = [shown(id, one.text if one.ok else one.error) for id, one in (shows, *compared)]
    return Finding(
        severity,
        f"{part_named(part)} {what}.",
        (place_of(part.template),),
        tuple(evidence),
        remedy=remedy,
        cause=cause,
    )
