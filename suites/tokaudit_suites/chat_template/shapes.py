"""Words, values and names that a template drops, by the forms that clients send."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.options import Options
from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit.products.chat.rendering.grammar.building import CALL, KEYED, NULL, OFFERED, REASONING
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.products.chat.work.shapes.apart import BaseShapeTexts, writers_of_values
from tokaudit.products.chat.work.shapes.causes import ShapeFault
from tokaudit.products.chat.work.shapes.faults import Law
from tokaudit.products.chat.work.shapes.renderings import ShapeRendering, ShapeRenderings
from tokaudit_suites.chat_template._shapes import (
    PARTS_JOINED,
    is_rare,
    needs_tools,
    of_parts,
    places,
    shape_finding,
)
from tokaudit_suites.shared.rendered_chats import plain_chat
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import quote, some

BY_TRANSFORMERS = dict.fromkeys(("sft", "rollouts"), Severity.ERROR)
"""Uses whose programs hand messages to transformers as they are."""
OTHERWISE = (
    (Law.CUT, "cut words", "cuts the first or last letters of words"),
    (Law.VALUES, "other values", "writes JSON that is not what was given"),
    (Law.VERBATIM, "other characters", "writes results in other characters"),
    (Law.OWN_NAME, "name of another tool", "writes a result under the name of another tool"),
)
"""Laws, and what a template does that breaks them."""
SAID_ELSEWHERE = ("cc rr", "cc rr-", "cc rr cc rr")
"""Values under which `calls`, `words` and `renders` say what is lost."""


@check(
    "chat_template/shapes",
    title="Every form of message is rendered once",
    why="Chat clients send messages of many shapes: without descriptions or names, with null as "
    "content, or with a list of parts instead of a text. A template that was tested only on "
    "simple messages drops the text of other messages or writes `None`, while the server answers "
    "with status 200.",
    remedy="In the chat template, render each form of message content, or call `raise_exception` "
    "so that the client gets an error.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    incident="QwenLM/Qwen3-Omni #41, vllm-project/vllm #54337, vllm-project/vllm #42188.",
)
def shapes(
    renderings: ChatRenderings,
    rendered: ShapeRenderings,
    base: BaseShapeTexts | None,
    options: Options,
) -> Iterator[Finding]:
    """Look for the words of each part in the conversations of the grammar."""
    judged = [one for one in renderings.usable if plain_chat(one) is not None]
    if not judged:
        raise NotApplicable("no chat template renders a plain chat")
    for one in judged:
        found = rendered.by_text[one.template.text]
        for finding in _lost(one, found):
            yield for_use(finding, options, BY_TRANSFORMERS)
        yield from _twice(one, found)
        yield from _none(one, found)
        misread = list(_misread(one, found, base))
        yield from misread or _values_as_python(one, found)
        yield from _parts_as_python(one, found)
        yield from _other_values(one, found)
        yield from _unnamed(one, found)


def _lost(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    """Report words missing from the text, though nothing was refused."""
    faults = [each for each in found.faults if each.fault.law is Law.WRITTEN]
    keyed = [each for each in faults if each.fault.where == KEYED and found.takes_tools]
    if keyed:
        what = "skips tool parameters that are named like a key of JSON schemas, such as `type`"
        yield shape_finding(one, keyed, Severity.WARNING, what, "parameters named as keys")
    faults = [each for each in faults if each not in keyed]
    lost = [each for each in faults if not _said_elsewhere(each) and _is_meant(each, found)]
    # Let templates cut schemas and leave out what is null, as their makers do by design.
    told = [each for each in lost if each.fault.where not in (OFFERED, NULL)]
    loud = [each for each in told if not is_rare(each) and not _in_parts_of_others(each, found)]
    for severity, told_of in ((Severity.WARNING, loud), (Severity.INFO, [] if loud else lost)):
        if told_of:
            where = places(lost if loud else told_of)
            what = f"silently drops text of some forms of messages: {where}"
            if any(map(of_parts, lost)) and not found.takes_parts:
                what += f". {PARTS_JOINED[:-1]}"
            yield shape_finding(one, told_of, severity, what, "left out of a form")


def _in_parts_of_others(fault: ShapeFault, found: ShapeRendering) -> bool:
    """Return whether a template for plain texts loses parts of roles other than the user."""
    return of_parts(fault) and not found.takes_parts and fault.fault.where != "user: parts"


def _said_elsewhere(fault: ShapeFault) -> bool:
    """Return whether another check covers it: calls, None, system messages, reasoning."""
    values, where = fault.values, fault.fault.where
    later = values.get("instructions") in ("system later", "developer", "two systems")
    several = values.get("calls") in SAID_ELSEWHERE
    with_calls = values.get("call content") in ("text", "parts")
    of_tools = where in (CALL, OFFERED) and not {"tools", "amount"} & values.keys()
    no_calls = values.get("calls of an answer", "absent") != "absent"
    return no_calls or later or several or with_calls or of_tools or where.startswith(REASONING)


def _is_meant(fault: ShapeFault, found: ShapeRendering) -> bool:
    """Return whether the template supports such conversations, as with tools."""
    return found.takes_tools or not needs_tools(fault)


def _twice(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    faults = [each for each in found.faults if each.fault.law is Law.ONCE]
    twice = [each for each in faults if _is_meant(each, found)]
    if twice:
        what = f"writes the same words more than once: {places(twice)}"
        yield shape_finding(one, twice, Severity.WARNING, what, "twice in a form")


def _none(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    """Report the word None in place of a missing value, by the version that passes null."""
    for faults, who in ((found.faults, ""), (found.of_older, Dialect.TRANSFORMERS_4)):
        none = [each for each in faults if each.fault.law is Law.NO_NONE]
        if none:
            by = f" by {who} and engines like it" if who else ""
            keys = " and ".join(dict.fromkeys(each.fault.where for each in none))
            what = f"writes the word None where the {keys} of a message is null{by}"
            severity = Severity.WARNING if found.takes_tools else Severity.INFO
            yield shape_finding(one, none, severity, what, "None")
            return


def _misread(
    one: ChatRendering, found: ShapeRendering, base: BaseShapeTexts | None
) -> Iterator[Finding]:
    """Report call values that parsers read differently; a model's expected form is information."""
    faults = [each for each in found.faults if each.fault.law is Law.READ]
    if not faults:
        return
    said = some(list(dict.fromkeys(each.fault.where for each in faults)))
    what = (
        "writes argument values so that a server's parser reads other values when a model repeats "
    )
    what += f"them: {said}, such as {quote(' '.join(faults[0].words.split()))}"
    severity = Severity.WARNING
    if who := writers_of_values(one.template.text, found.texts, base):
        what += f"; {who} writes them so, which its model expects"
        severity = Severity.INFO
    yield shape_finding(one, faults, severity, what, "misread values")


def _values_as_python(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    """Report True and None in arguments in Python's spelling, which known parsers accept."""
    faults = [each for each in found.faults if each.fault.law is Law.JSON]
    if faults and found.takes_tools:
        what = f"writes values of arguments as Python prints them: {quote(faults[0].words)}"
        yield shape_finding(one, faults, Severity.INFO, what, "values as Python")


def _parts_as_python(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    """Report lists of parts, and parameter types, in Python's spelling."""
    lists = [each for each in found.faults if each.fault.law is Law.PARTS]
    parts = [each for each in lists if not each.fault.where]
    if parts:
        what = f"writes lists of parts as Python prints them: {places(parts)}"
        severity = Severity.WARNING if found.takes_parts else Severity.INFO
        yield shape_finding(one, parts, severity, what, "parts as Python")
    if types := [each for each in lists if each.fault.where]:
        what = f"writes the types of a parameter as Python prints them: {quote(types[0].words)}"
        yield shape_finding(one, types, Severity.INFO, what, "types as Python")


def _other_values(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    """Report unreadable JSON, altered characters in results, and wrong tool names."""
    for law, cause, does in OTHERWISE:
        faults = [each for each in found.faults if each.fault.law is law]
        loud = [each for each in faults if not is_rare(each) and _is_meant(each, found)]
        if loud:
            what = f"{does}: {places(loud)}, such as {quote(loud[0].words.strip())}"
            yield shape_finding(one, loud, Severity.WARNING, what, cause)


def _unnamed(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    faults = [each for each in found.faults if each.fault.law is Law.NAMED]
    if faults and found.takes_tools:
        what = (
            "writes the name of the tool before its result, and no name if the message has none; "
        )
        what += "messages of OpenAI's API have none"
        yield shape_finding(one, faults, Severity.WARNING, what, "no name of a result")
