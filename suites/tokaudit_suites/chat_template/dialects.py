"""Conversations that one version of transformers renders and another does not."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.options import Options
from tokaudit.plugin import CHAT_USES, Basis, Evidence, Finding, Harm, Severity, check
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.subject.upstream.versions import FOUR_SHORT
from tokaudit_suites.chat_template._parts import part_finding, with_parts, writes_calls
from tokaudit_suites.shared.rendered_chats import shown
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import some

WITHOUT_CONTENT = ("call-null", "call-bare")  # chat_template/calls reports what 5 fails on
OLD, NEW = Dialect.TRANSFORMERS_4, Dialect.TRANSFORMERS_5


@check(
    "chat_template/dialects",
    title="Both versions of transformers render the template alike",
    why="transformers 5 drops message keys whose value is null, and passes the reasoning of a "
    f"message under two keys; transformers {FOUR_SHORT} passes messages unchanged. If a template "
    f"depends on null values or on the key of the reasoning, transformers {FOUR_SHORT} and 5 "
    "render different prompts, or one of these versions fails.",
    remedy="In the chat template, test a key with `{% if message.content %}`: this is false both "
    "for null and for a missing key.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.WARNING,
    harm=Harm.CRASH,
    milder="one of two versions fails, on a conversation that not every client sends.",
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="Blaizzy/mlx-vlm #1785, huggingface/transformers #45348.",
)
def dialects(
    renderings: ChatRenderings, parts: PartRenderings, options: Options
) -> Iterator[Finding]:
    """Compare every conversation of the parts as rendered by both versions."""
    for one in with_parts(renderings, parts):
        failing, other = [], []
        for conversation in parts.conversations:
            if conversation.tools and not writes_calls(one):
                continue
            new, old = one.plain(conversation.id), one.by_older(conversation.id)
            if not new.ok and conversation.id in WITHOUT_CONTENT:
                continue
            if new.ok != old.ok:
                failing.append(conversation.id)
            elif new.ok and new.text != old.text:
                other.append(conversation.id)
        if failing:
            raised = dict.fromkeys(CHAT_USES, Severity.WARNING)
            yield for_use(_fails(one, failing), options, raised)
        if other:
            yield _differs(one, other)


def _fails(one: PartRendering, ids: list[str]) -> Finding:
    new, old = one.plain(ids[0]), one.by_older(ids[0])
    works, fails, error = (NEW, OLD, old.error) if new.ok else (OLD, NEW, new.error)
    what = f"renders the test conversation {some(list(map(repr, ids)))} with {works}, but fails "
    what += f"with {fails}: {error}"
    return part_finding(one, Severity.INFO, ("fails", what), (ids[0], new if new.ok else old))


def _differs(one: PartRendering, ids: list[str]) -> Finding:
    new, old = one.plain(ids[0]), one.by_older(ids[0])
    what = (
        f"renders different texts with {OLD} and with {NEW} in the test conversations "
        f"{some(list(map(repr, ids)))}"
    )
    found = part_finding(one, Severity.INFO, ("differs", what), (ids[0], new))
    evidence: tuple[Evidence, ...] = (*found.evidence, shown(f"{ids[0]} by {OLD}", old.text))
    return Finding(found.severity, found.message, found.places, evidence, cause=found.cause)
