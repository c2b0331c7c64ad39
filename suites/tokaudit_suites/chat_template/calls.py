"""Tool calls that a template drops or writes incorrectly."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator

from tokaudit.engine.options import Options
from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.products.chat.rendering.rendering import Trouble
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit_suites.chat_template._encodings import miswritten, unbalanced, unopened
from tokaudit_suites.chat_template._parts import (
    ARGUMENTS,
    BEFORE_CALL,
    OTHER_VALUE,
    QUESTION,
    SECOND_QUESTION,
    TOOL,
    VALUE,
    after_last,
    offers_tools,
    part_finding,
    source,
    unclosed,
    with_calls,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import quote

OF_CLIENTS = {"sft": Severity.WARNING, "serving": Severity.WARNING}
"""Uses whose data and requests may hold arguments as JSON in a text."""
QUOTED = 'say "Velmora" & it\'s'
IN_JSON = json.dumps(QUOTED)[1:-1]
EACH_CALL = re.compile(r"\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+[\w.\[\]('\"]*tool_calls")
"""A loop over the calls of a message."""
AS_TEXT = re.compile(r"\barguments\b['\"\])]*\s+is\s+string\b")
"""A question whether the arguments of a call are a text."""
AS_JSON = "In the chat template, write `arguments|tojson` where the arguments are a mapping."


@check(
    "chat_template/calls",
    title="Tool calls are rendered as they were made",
    why="A model reads its earlier tool calls in every later turn. If the template leaves out a "
    "tool call, or writes the call's arguments in another format than the model's own, the model "
    "copies the wrong format in its next calls.",
    remedy="In the chat template, write every entry of `tool_calls`; if `arguments` is a string, "
    "write the string unchanged.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="no file says which form of a call clients send, and how the model was taught,.",
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="Arguments in JSON that are encoded once more (sgl-project/sglang #12123), calls X",
)
def calls(renderings: ChatRenderings, parts: PartRenderings, options: Options) -> Iterator[Finding]:
    """Look for the name and arguments of each call, in each form that clients send."""
    for one in with_calls(renderings, parts):
        yield from _of_one(one, options)


def _of_one(one: PartRendering, options: Options) -> Iterator[Finding]:
    """Check one template's calls; a worded refusal is only information."""
    yield from _lost(one)
    for finding in _several(one):
        yield for_use(finding, options, dict.fromkeys(("rollouts", "serving"), Severity.WARNING))
    faults = list(_miswritten(one))
    yield from faults
    quoted = [] if faults else list(_of_quotes(one))
    yield from quoted
    for finding in [] if faults or quoted else _of_text(one):
        told = offers_tools(one)  # for other templates no client makes calls
        yield for_use(finding, options, OF_CLIENTS if told else {})
    yield from _order(one)
    yield from _unended(one)


def _lost(one: PartRendering) -> Iterator[Finding]:
    """Report a missing tool name or argument, in a turn with at least one value."""
    found = one.plain("call", 2)
    turn = after_last(found.text, QUESTION)
    if not found.ok or VALUE not in turn:
        return
    if TOOL not in turn:
        said = ("no name", "writes a call without the name of its tool")
        yield part_finding(one, Severity.WARNING, said, ("call", found))
    elif lost := [name for name in ARGUMENTS if name not in turn]:
        said = ("arguments", f"writes a call without its argument {quote(lost[0])}")
        yield part_finding(one, Severity.WARNING, said, ("call", found))


def _several(one: PartRendering) -> Iterator[Finding]:
    """Report a lost second call of one message, which models produce and most templates write.

    Llama's write the first member of the list alone, by design; who goes through the list and
    refuses two contradicts itself.
    """
    both = one.plain("call-two", 2)
    if both.trouble is Trouble.RAISED and one.plain("call", 2).ok:
        said = ("two calls refused", f"writes one call in a message but refuses two: {both.error}")
        remedy = "Write each entry of `tool_calls`, or let the client ask for one call at a time."
        severity = Severity.WARNING if EACH_CALL.search(source(one)) else Severity.INFO
        yield part_finding(one, severity, said, ("call-two", both), remedy)
        return
    turn = after_last(both.text, QUESTION)
    first, other = turn.find(VALUE), turn.find(OTHER_VALUE)
    if first == other:
        said = (
            "neither call",
            "writes one call in a message, but neither call of two in a message",
        )
    elif other < 0:
        said = ("one call", "writes only the first of two calls in a message")
    elif first < 0:
        said = ("one call", "writes only the last of two calls in a message")
    elif other < first:
        said = ("order of calls", "writes the second of two calls in a message before the first")
    elif turn.count(VALUE) > max(1, _single(one).count(VALUE)):
        said = ("calls twice", "writes each of two calls in a message more than once")
    else:
        return
    if both.ok:
        yield part_finding(one, Severity.WARNING, said, ("call-two", both))


def _miswritten(one: PartRendering) -> Iterator[Finding]:
    """Report a call whose argument is repeated or not written as valid JSON or tags."""
    found, turn = one.plain("call", 2), _single(one)
    if not found.ok or VALUE not in turn:
        return
    if turn.count(VALUE) > 1:
        said = ("twice", "writes a call more than once")
    elif (tag := unopened(turn)) and tag not in one.plain("answers").text:
        said = ("not opened", f"closes a call with {tag}, which it never opened")
    elif (fault := miswritten(turn, ARGUMENTS[0])) and not (fault[0] == "cut" and _uneven(one)):
        said = (fault[0], f"writes the arguments of a call {fault[1]}")
    else:
        return
    remedy = AS_JSON if said[0] == "as Python" else ""
    yield part_finding(one, Severity.WARNING, said, ("call", found), remedy)


def _uneven(one: PartRendering) -> bool:
    """Return whether markers have unbalanced brackets by design, as MiniMax's `[e~[`."""
    return bool(unbalanced(after_last(one.plain("answers").text, SECOND_QUESTION)))


def _single(one: PartRendering) -> str:
    """Return the turn with one call."""
    return after_last(one.plain("call", 2).text, QUESTION)


def _of_text(one: PartRendering) -> Iterator[Finding]:
    """Report arguments that differ between JSON text (OpenAI's API) and a mapping."""
    mapping, text = one.plain("call", 2), one.plain("call-text", 2)
    if not mapping.ok or mapping.text == text.text:
        return
    if not text.ok:
        return  # chat_template/renders reports it
    if f'\\"{ARGUMENTS[0]}' in after_last(text.text, QUESTION):
        what = "encodes tool-call arguments as JSON a second time if they are a JSON string already"
    elif _bare(mapping.text) == _bare(text.text):
        return
    else:
        what = (
            "writes a call differently if its arguments are a JSON string than if they are the "
            "same mapping"
        )
    remedy = "In the chat template, write `arguments` unchanged if `arguments is string`, else "
    remedy += "`arguments|tojson`."
    said, also = ("text arguments", what), (("call", mapping),)
    yield part_finding(one, Severity.INFO, said, ("call-text", text), remedy, also)


def _bare(text: str) -> str:
    return "".join(text.split())


def _of_quotes(one: PartRendering) -> Iterator[Finding]:
    """Report quotes in arguments that are neither raw between tags nor escaped as JSON."""
    found = one.plain("call-quotes", 2)
    text = after_last(found.text, QUESTION)
    if not found.ok or IN_JSON in text:
        return
    if f'"{QUOTED}"' in text or f"'{QUOTED}'" in text:
        what = "writes an argument between quotes without escaping the quotes inside, so that "
        what += "neither JSON nor Python parses it"
    elif QUOTED in text or VALUE not in text:
        return
    elif "&amp;" in text or html.escape(QUOTED)[:10] in text:
        what = "writes arguments with the entities of HTML"
    else:
        return
    yield part_finding(one, Severity.WARNING, ("quotes", what), ("call-quotes", found))


def _order(one: PartRendering) -> Iterator[Finding]:
    """Report words before a call that are written after it."""
    found = one.plain("call-words", 2)
    text = after_last(found.text, QUESTION)
    if found.ok and -1 < text.rfind(TOOL) < text.find(BEFORE_CALL):
        said = ("order", "writes a call before the text of the same message")
        yield part_finding(one, Severity.WARNING, said, ("call-words", found))


def _unended(one: PartRendering) -> Iterator[Finding]:
    """Report a tag before a call's name that is not closed after its arguments."""
    found = one.plain("call", 2)
    turn = after_last(found.text, QUESTION)
    before, _, after = turn.partition(TOOL)
    if found.ok and (tag := unclosed(before, after)):
        said = ("no end", f"opens a call with <{tag}> and never closes it")
        yield part_finding(one, Severity.WARNING, said, ("call", found))
