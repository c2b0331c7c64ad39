"""Tool results that are dropped, or presented as someone else's words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tokaudit.engine.options import Options
from tokaudit.plugin import CHAT_USES, Basis, Finding, Harm, Severity, check
from tokaudit.products.chat.rendering.rendering import Trouble
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._encodings import ENTITY
from tokaudit_suites.chat_template._frames import answer_header, frames, markers
from tokaudit_suites.chat_template._parts import (
    ANSWER,
    OTHER_RESULT,
    RESULT,
    VALUE,
    after_last,
    offers_tools,
    part_finding,
    unclosed,
    with_calls,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import some

QUOTED = 'amber "thicket" & it\'s'
IN_JSON = json.dumps(QUOTED)[1:-1]
AS_TEXT = re.compile(r"(?<![:,\[\s])\s*" + re.escape(json.dumps(QUOTED)))
AFTER = re.compile(r"\W{0,3}\s*(<[^<>\s]+>)")
DIGITS = re.compile(r"\d+")  # of the ids of calls
SPEAKERS = {
    "result-as-assistant": ("as the assistant's", Severity.ERROR),
    "result-as-user": ("as the user's", Severity.WARNING),
}


@check(
    "chat_template/results",
    title="Results of tools are written as results",
    why="If the template leaves out the result of a tool call, the model calls the tool again or "
    "invents an answer. If the template writes the result of a tool call like the user's or the "
    "assistant's own text, the model obeys or believes this result.",
    remedy="In the chat template, write the content of each message of the role `tool` once, under "
    "a header of its own.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="ml-explore/mlx-swift-lm #409, unslothai/unsloth #10091, theroyallab/tabbyAPI #310.",
)
def results(
    renderings: ChatRenderings, parts: PartRenderings, options: Options, spec: TokenizerSpec
) -> Iterator[Finding]:
    """Look for each result after its call, once, and not as words of the user or model."""
    tokens = frozenset(token.content for token in spec.added_tokens)
    for one in with_calls(renderings, parts):
        fault = _lost(one)
        if fault is not None:
            yield fault
            continue
        yield from list(_speaker(one)) or _header(one)
        yield from list(_unended(one, tokens)) or _open_turn(one)
        yield from _escaped(one)
        for finding in _as_json(one):
            yield for_use(finding, options, dict.fromkeys(CHAT_USES, Severity.WARNING))
        if offers_tools(one):
            yield from _rounds(one)
        for finding in _late(one):
            yield for_use(finding, options, {"serving": Severity.WARNING})


def _lost(one: PartRendering) -> Finding | None:
    """Report a result that is refused, missing or repeated."""
    found = one.plain("call", 3)
    if found.trouble is Trouble.FAILED:
        return None  # chat_template/renders reports it
    if not found.ok:
        said = ("refused", f"writes tool calls but fails on their results: {found.error}")
        return part_finding(one, Severity.WARNING, said, ("call", found))
    if RESULT not in found.text:
        said = ("lost", "writes tool calls but drops their results")
        return part_finding(one, Severity.ERROR, said, ("call", found))
    if found.text.count(RESULT) > 1:
        said = ("twice", "writes the result of a call more than once")
        return part_finding(one, Severity.ERROR, said, ("call", found))
    both = one.plain("call-two", 4)
    if both.ok and not (RESULT in both.text and OTHER_RESULT in both.text):
        said = ("one result", "writes only one of the results of two calls")
        return part_finding(one, Severity.ERROR, said, ("call-two", both))
    return None


def _speaker(one: PartRendering) -> Iterator[Finding]:
    """Report a result whose text looks the same as another speaker's message."""
    found = one.plain("call", 3)
    for id, (whose, severity) in SPEAKERS.items():
        other = one.plain(id, 3)
        if other.ok and other.text == found.text:
            said = (whose, f"writes the result of a tool call {whose} words")
            yield part_finding(one, severity, said, ("call", found))


def _header(one: PartRendering) -> Iterator[Finding]:
    """Report a result whose header is the header of an answer."""
    opening, found = answer_header(one), one.plain("call", 3)
    between = after_last(found.text.partition(RESULT)[0], VALUE)
    if opening and opening in between:
        said = ("under the assistant's header", f"opens the result of a call with {opening!r}")
        yield part_finding(one, Severity.WARNING, said, ("call", found))


def _unended(one: PartRendering, tokens: frozenset[str]) -> Iterator[Finding]:
    """Report a tag before a result that is not closed after it, though a token exists for it."""
    found = one.plain("call")
    before, _, after = found.text.partition(RESULT)
    tag = unclosed(after_last(before, VALUE), after)
    if found.ok and f"</{tag}>" in tokens:
        said = ("no end", f"opens a result with <{tag}> and never closes it")
        yield part_finding(one, Severity.WARNING, said, ("call", found))


def _open_turn(one: PartRendering) -> Iterator[Finding]:
    """Report a result without an end marker, if questions and answers have one."""
    around, found = frames(one), one.plain("call")
    between = markers(found.text.partition(RESULT)[2].partition(ANSWER)[0])
    if around is None or not (found.ok and around.shared_ends and ANSWER in found.text):
        return
    opening = [each for each in markers(around.after_question) if each not in around.shared_ends]
    if opening and opening[0] in between and around.shared_ends.isdisjoint(between):
        end = some(sorted(around.shared_ends))
        said = ("turn without end", f"ends questions and answers with {end}, but not tool results")
        yield part_finding(one, Severity.WARNING, said, ("call", found))


def _escaped(one: PartRendering) -> Iterator[Finding]:
    """Report a result that is escaped other than as JSON."""
    found = one.plain("call-quotes", 3)
    written = after_last(found.text, QUOTED[:5])
    if not found.ok or not written or QUOTED in found.text or IN_JSON in found.text:
        return
    if ENTITY.search(written):
        said = ("entities", "writes the result of a call with entities of HTML")
    else:
        said = ("other characters", "writes the result of a call in other characters")
    yield part_finding(one, Severity.WARNING, said, ("call-quotes", found))


def _as_json(one: PartRendering) -> Iterator[Finding]:
    """Report a result that is inserted into an object without escaping.

    Some formats write a turn in JSON by design. Between markers of its own, a result has its
    bounds, and quotes are words that the tool did not say.
    """
    found = one.plain("call-quotes", 3)
    if AS_TEXT.search(after_last(found.text, VALUE)):
        said = ("as JSON", "writes the text of a result as a JSON string, with quotes and escapes")
        remedy = "Write `message.content` unchanged if `message.content is string`."
        severity = Severity.WARNING if _has_bounds(one) else Severity.INFO
        yield part_finding(one, severity, said, ("call-quotes", found), remedy)


def _has_bounds(one: PartRendering) -> bool:
    """Return whether a result ends in a marker that ends no turn."""
    around, (_, _, after) = frames(one), one.plain("call").text.partition(RESULT)
    first = AFTER.match(after)
    ends = () if around is None else markers(around.after_question + around.after_last)
    return around is not None and first is not None and first[1] not in ends


def _rounds(one: PartRendering) -> Iterator[Finding]:
    """Report results of a second round that are opened unlike those of the first."""
    found = one.plain("call-rounds", 5)
    first = DIGITS.sub("0", after_last(found.text.partition(RESULT)[0], VALUE))
    second = DIGITS.sub("0", after_last(found.text.partition(OTHER_RESULT)[0], VALUE))
    if found.ok and second and OTHER_RESULT in found.text and first != second:
        what = (
            f"opens the results of a second round with {second!r}, but results of the first with "
        )
        said = ("second round", f"{what}{first!r}")
        yield part_finding(one, Severity.WARNING, said, ("call-rounds", found))


def _late(one: PartRendering) -> Iterator[Finding]:
    """Report a result that is lost because a user spoke while the tool ran.

    A template that writes results wherever they are loses one there. Gemma's write a result inside
    of the turn that calls, where it has no other place.
    """
    found, alone = one.plain("result-late", 4), one.plain("result-alone", 3)
    if found.ok and RESULT not in found.text:
        what = "drops a result when the user speaks between the call and the result"
        severity = Severity.WARNING if RESULT in alone.text else Severity.INFO
        yield part_finding(one, severity, ("late", what), ("result-late", found))
