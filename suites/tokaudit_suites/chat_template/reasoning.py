"""Reasoning that is dropped, or mixed up with the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit.products.chat.rendering.grammar.building import REASONING
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.products.chat.work.shapes.renderings import ShapeRenderings
from tokaudit.subject.upstream.published.spellings import closes_reasoning
from tokaudit_suites.chat_template._encodings import Fault, doubled
from tokaudit_suites.chat_template._parts import (
    ANSWER,
    QUESTION,
    REASON,
    VALUE,
    after_last,
    part_finding,
    source,
    with_parts,
    writes_calls,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED

READS = re.compile(
    r"reasoning_content|\.(?:thinking|reasoning)\b|\[['\"](?:thinking|reasoning)['\"]"
)
MARKED = re.compile(r"[<\[]\W{0,2}\w|\W{3,}\w*\W{3,}")
ASKED = ("reasoning", "reasoning-on", "reasoning-call")
CLOSED = re.compile(r"\s*</(\w+)>")


@check(
    "chat_template/reasoning",
    title="Reasoning is rendered apart from the answer",
    why="If the template drops the reasoning between two tool calls, the model does not know its "
    "plan at the second call. If the template does not write the end of the reasoning, reasoning "
    "and answer run together, and users read the reasoning.",
    remedy="In the chat template, write the reasoning of a turn between the model's own reasoning "
    "tags.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="no file says what of its reasoning the model is to see again.",
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="oobabooga/textgen #7578, vllm-project/vllm #21655, huggingface/trl #6363.",
)
def reasoning(
    renderings: ChatRenderings, parts: PartRenderings, shapes: ShapeRenderings
) -> Iterator[Finding]:
    """Look for reasoning before an answer, before a call, and in sampled form."""
    found = [one for one in with_parts(renderings, parts) if READS.search(source(one))]
    if not found:
        raise NotApplicable("no chat template reads reasoning")
    for one in found:
        if any(REASON in one.plain(id).text for id in ASKED):
            yield from list(_misplaced(one)) or _apart(one)
            yield from _before_calls(one)
        elif one.plain("reasoning").ok and not _in_another_form(one, shapes):
            said = ("lost", "reads reasoning but never writes it, not even in the last answer")
            shows = ("reasoning", one.plain("reasoning"))
            yield part_finding(one, Severity.WARNING, said, shows)
        yield from _sampled(one)


def _in_another_form(one: PartRendering, shapes: ShapeRenderings) -> bool:
    """Return whether reasoning is read from another key or from a part of the content."""
    return shapes.by_text[one.template.text].writes(REASONING, f"{REASONING}: parts")


def _misplaced(one: PartRendering) -> Iterator[Finding]:
    """Report reasoning that is repeated, out of order, or outside of one pair of tags."""
    for id in ASKED:
        found = one.plain(id)
        turn = after_last(found.text, QUESTION)
        if found.ok and REASON in turn and (said := _fault(turn)):
            yield part_finding(one, Severity.WARNING, said, (id, found))
            return


def _fault(turn: str) -> Fault | None:
    before, after = turn.split(REASON, 1)
    if REASON in after:
        return "twice", "writes the reasoning of a turn more than once"
    if ANSWER in before or VALUE in before:
        what = "the answer" if ANSWER in before else "the call"
        return f"after {what}", f"writes the reasoning of a turn after {what}"
    if tag := doubled(turn):
        return "tag twice", f"writes {tag} twice in a row"
    if (closing := CLOSED.match(after)) and f"<{closing[1]}>" not in before:
        return "not opened", f"closes reasoning with {closing[0].strip()}, which it never opened"
    return None


def _apart(one: PartRendering) -> Iterator[Finding]:
    """Report reasoning and an answer without a marker between them."""
    found = one.plain("reasoning")
    between = found.text.partition(REASON)[2].partition(ANSWER)[0]
    if REASON in found.text and ANSWER in found.text and not MARKED.search(between):
        what = f"writes only {between!r} between the reasoning and the answer"
        yield part_finding(one, Severity.WARNING, ("no end", what), ("reasoning", found))


def _before_calls(one: PartRendering) -> Iterator[Finding]:
    """Report a thought before a call that is dropped once its result arrives."""
    found = one.plain("reasoning-call")
    if writes_calls(one) and found.ok and REASON not in found.text:
        written = REASON in one.plain("reasoning-call", 2).text
        does = "drops the reasoning before a call when its result has come"
        what = does if written else "leaves out the reasoning of a message that calls a tool"
        said = ("missing before calls", what)
        yield part_finding(one, Severity.WARNING, said, ("reasoning-call", found))


def _sampled(one: PartRendering) -> Iterator[Finding]:
    """Report a sampled answer that does not close the reasoning opened by the prompt."""
    found = one.plain("reasoning-sampled")
    closing = closes_reasoning()
    if one.prompted("reasoning", 1).text.rstrip().endswith(closing):
        return  # the prompt ends it, so that no sampled answer does
    if closing in source(one) and after_last(found.text, QUESTION).count(closing) > 1:
        what = (
            f"writes {closing} more than once for a sampled answer that closes its reasoning once"
        )
        yield part_finding(one, Severity.WARNING, ("sampled", what), ("reasoning-sampled", found))
