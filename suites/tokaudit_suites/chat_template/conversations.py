"""User conversations checked against the laws of training, rollouts and serving."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Evidence, Finding, Harm, NotApplicable, Severity, check
from tokaudit.products.chat.work.held_chats import HeldChats
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit_suites.shared.rendered_chats import named, place_of, shown
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import plural, some


@check(
    "chat_template/conversations",
    title="Conversations given keep the laws of their use",
    why="A template may render every conversation and still give a trainer other ids than the "
    "server, or let a trainer use text that the assistant did not write. Only a check of your own "
    "conversations shows such faults of a template.",
    remedy="Follow the remedy of the law that is broken; `tokaudit chat --check` shows the same "
    "conversations.",
    repair=person_decides("the rows or the template can change, and no file says which"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.CROSS_FILE,),
    no_example="The conversations come from --conversations and not from the subject.",
    incident="A prompt whose ids do not begin those of prompt and completion (huggingface/trl "
    "#5213).",
)
def conversations(renderings: ChatRenderings, held: HeldChats) -> Iterator[Finding]:
    """Report each broken law, with the first row that breaks it."""
    if not renderings.usable:
        raise NotApplicable("no chat template is rendered")
    template = renderings.usable[0].template
    for result in held.laws:
        if not result.broken:
            continue
        law, severity = result.law, Severity.INFO
        if result in held.failing:
            severity = Severity.ERROR if held.use else Severity.WARNING
        rows = f"{result.broken:,} of {plural(held.conversations, 'conversation')}"
        facts = {"law": law.says, "conversations": some(result.conversations)}
        yield Finding(
            severity,
            f"{named(template)}: the law {law.id} ({law.says[0].lower()}{law.says[1:]}) is broken "
            f"by {rows}: {result.first}.",
            (place_of(template),),
            (Evidence("facts", facts=facts), shown(result.conversations[0], result.text)),
            remedy=law.remedy,
            cause=law.id,
        )
