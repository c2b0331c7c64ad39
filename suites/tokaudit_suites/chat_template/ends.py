"""Turns without an end, repeated ends, and a second beginning of text."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.products.chat.work.shapes.causes import ShapeFault
from tokaudit.products.chat.work.shapes.faults import Law
from tokaudit.products.chat.work.shapes.renderings import ShapeRendering, ShapeRenderings
from tokaudit_suites.chat_template._shapes import asked_of, is_rare, needs_tools, of_parts, shapes
from tokaudit_suites.shared.rendered_chats import named, place_of, plain_chat, shown
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.wording import about, quote, some

SAYS = {
    Law.CLOSED: "opens the next turn without ending the turn of {whose}",
    Law.ENDED_ONCE: "ends turns twice (turns of {whose})",
    Law.BEGUN_ONCE: "writes the beginning-of-text token again after the turn of {whose}",
    Law.OPENED: "ends a turn but does not open the next turn for {whose}",
    Law.LAST: "writes more text after the end of the last turn (a turn of {whose})",
    Law.PAIRED: "opens {whose} more or fewer times than it closes {whose}",
}
PAIR_UP = "In the chat template, close each opened tag exactly once."
WHOSE = {
    "user": "the user",
    "assistant": "the assistant",
    "tool": "a tool result",
    "system": "the system message",
}


@check(
    "chat_template/ends",
    title="Every turn opens and ends once",
    why="In a rendered chat, all turns of one role must end with the same tokens. A model that "
    "learns from turns without an end token does not stop after its own turn; a model that learns "
    "from turns with two end tokens in a row writes both.",
    remedy="In the chat template, write the end-of-turn token once, after the text of the message "
    "and its tool calls.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    incident="axolotl-ai-cloud/axolotl #1921, Blaizzy/mlx-vlm #1033.",
)
def ends(renderings: ChatRenderings, rendered: ShapeRenderings) -> Iterator[Finding]:
    """Compare the text between messages of the grammar with that of plain conversations."""
    judged = [one for one in renderings.usable if plain_chat(one) is not None]
    if not judged:
        raise NotApplicable("no chat template renders a plain chat")
    for one in judged:
        found = rendered.by_text[one.template.text]
        for law in SAYS:
            of_law = [each for each in found.faults if each.fault.law is law]
            if of_law:
                yield _finding(one, found, law, of_law)


def _finding(
    one: ChatRendering, found: ShapeRendering, law: Law, faults: list[ShapeFault]
) -> Finding:
    """Report one law with the roles and values that break it, the worst first."""
    faults.sort(key=lambda each: _severity(each, found).rank)
    first, severity = faults[0], _severity(faults[0], found)
    same = [each for each in faults if _severity(each, found) is severity]
    roles = dict.fromkeys(WHOSE.get(each.fault.where, each.fault.where) for each in same)
    return Finding(
        severity,
        f"{named(one.template)} {SAYS[law].format(whose=some(list(roles)))}, as in "
        f"{quote(first.words.strip())}. Generated test conversations with {shapes(same)} show it.",
        (place_of(one.template),),
        (asked_of(first), shown(first.shown.id, first.rendering.text)),
        remedy=PAIR_UP if law is Law.PAIRED else "",
        cause=str(law),
        about=about(first.words.strip()),
    )


def _severity(fault: ShapeFault, found: ShapeRendering) -> Severity:
    """Return an error for a plain conversation that the template supports."""
    made_for = found.takes_tools or not needs_tools(fault)
    if fault.plain and made_for:
        return Severity.ERROR
    lists = of_parts(fault) and not found.takes_parts
    return Severity.WARNING if made_for and not lists and not is_rare(fault) else Severity.INFO
