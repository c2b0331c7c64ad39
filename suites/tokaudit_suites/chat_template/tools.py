"""Tools that are offered but not written, or announced although there are none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from textwrap import shorten

from tokaudit.engine.options import Options
from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.products.chat.rendering.reading.triggers import MARKERS, WORD
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit_suites.chat_template._encodings import (
    Fault,
    miswritten,
    unbalanced,
    unfinished,
    unopened,
)
from tokaudit_suites.chat_template._parts import (
    OTHER_TOOL,
    QUESTION,
    SYSTEM,
    TOOL,
    after_last,
    part_finding,
    with_tools,
    writes_calls,
)
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.wording import quote, some

DESCRIPTIONS = ("Weaves a lantern of rushes.", "Calls the kestrel home.")
PARTS = {
    "the second tool": OTHER_TOOL,
    "its description": DESCRIPTIONS[0],
    "the name of a parameter": "orchard",
    "the description of a parameter": "The orchard at the river.",
}
LIST_OPENED = re.compile(r"<(\w{2,})>\W*(?:\w+\W+){0,4}\Z")
"""A tag, and not `<s>`, directly before the start of the first tool."""
TAG = re.compile(r"</?\w{2,}>")
LAST = (DESCRIPTIONS[1], "The belfry above the mill.")
DESCRIBED = ("its description", "the description of a parameter")
CLOSING, FEW = re.compile(r"</\w{2,}>"), 12  # words of a tool after its last description
SHOWN = 60


@check(
    "chat_template/tools",
    title="The tools on offer are in the prompt",
    why="If a chat template leaves out the list of tools, the server answers with status 200 "
    "although the model never saw the tools. If a chat template announces tools although the list "
    "of tools is empty, the model may call tools that do not exist.",
    remedy="In the chat template, output each tool of the list `tools`, and nothing if "
    "`tools` is empty.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="a model may be served without tools, and no file says how it is served.",
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="deepseek-ai/DeepSeek-V3 #737, lablup/mlxcel #1597, ggml-org/llama.cpp #27129.",
)
def tools(renderings: ChatRenderings, parts: PartRenderings, options: Options) -> Iterator[Finding]:
    """Look for the name, description and parameters of each offered tool."""
    for one in with_tools(renderings, parts):
        yield from _offered(one)
        yield from _system(one)
        for finding in _announced(one):
            yield for_use(finding, options, {"serving": Severity.WARNING})


def _offered(one: PartRendering) -> Iterator[Finding]:
    """Report offered tools that are lost, with and without a system message."""
    for id in ("tools-two", "tools-two-system"):
        found = one.plain(id)
        if not found.ok:
            continue
        if TOOL not in found.text:
            does = "writes tool calls but " if writes_calls(one) else ""
            what = f"{does}leaves out the list of available tools"
            if id != "tools-two":
                what += " if there is a system message"
            yield part_finding(one, Severity.WARNING, ("ignored", what), (id, found))
            return
        lost = [part for part, words in PARTS.items() if words not in found.text]
        if lost:
            what = f"writes the available tools without {some(lost)}"
            yield part_finding(one, Severity.WARNING, ("in part", what), (id, found))
            return
        spoken = _tags_of_calls(one)  # instructions may speak of them
        if said := _listed(
            spoken.sub("", found.text), spoken.sub("", one.plain("tools-none").text)
        ):
            yield part_finding(one, Severity.WARNING, said, (id, found))
            return


def _tags_of_calls(one: PartRendering) -> re.Pattern[str]:
    """Return a pattern for the tags that a template writes around calls."""
    turn = after_last(one.plain("call", 2).text, QUESTION)
    tags = "|".join(map(re.escape, dict.fromkeys(TAG.findall(turn))))
    return re.compile(tags or r"(?!)")


def _listed(text: str, without: str) -> Fault | None:
    """Return the fault of a complete list of tools, given the text without tools."""
    if tag := unopened(_with_list(text)):
        return "not opened", f"closes the list of tools with {tag}, which it never opened"
    if tag := unfinished(text) or _left_open(text, without):
        return "not closed", f"opens the list of tools with {tag} and never closes it"
    if all(text.count(PARTS[part]) > 1 for part in DESCRIBED):  # prose may repeat one of them
        return "twice", "writes each available tool more than once"
    first, other = text.find(TOOL), text.find(OTHER_TOOL)
    if first > other:
        return "order", "writes the available tools in another order"
    if fault := miswritten(text[first:other], "orchard"):
        return fault[0], f"writes the available tools {fault[1]}"
    lacks = unbalanced(text)
    if lacks and not unbalanced(without):
        return "cut", f"writes a list of tools that cannot be parsed: a {lacks} is missing"
    return None


def _with_list(text: str) -> str:
    """Return the text up to the end of its list of tools: prose after it may mention tags."""
    last = max(text.rfind(words) for words in (*PARTS.values(), *LAST))
    closed = CLOSING.search(text, last)
    if closed is None or len(text[last : closed.start()].split()) > FEW:
        return text[:last]
    return text[: closed.end()]


def _left_open(text: str, without: str) -> str:
    """Return an unclosed tag directly before the list of tools that appears only with tools."""
    first = min(text.find(TOOL), text.find(DESCRIPTIONS[0]))
    opened = LIST_OPENED.search(text[:first])
    if opened is None or f"</{opened[1]}>" in text[first:] or f"<{opened[1]}>" in without:
        return ""
    return f"<{opened[1]}>"


def _system(one: PartRendering) -> Iterator[Finding]:
    """Report a system message that is written differently if there are tools."""
    alone, found = one.plain("answers-system"), one.plain("tools-two-system")
    if not (alone.ok and found.ok and SYSTEM in alone.text):
        return
    times = found.text.count(SYSTEM)
    if times != 1:
        does = "writes the system message more than once" if times else "drops the system message"
        said = ("system twice" if times else "no system", f"{does} where tools are offered")
        yield part_finding(one, Severity.WARNING, said, ("tools-two-system", found))


def _announced(one: PartRendering) -> Iterator[Finding]:
    """Report an empty list of tools that is announced: clients send `"tools": []`."""
    none, empty = one.plain("tools-none"), one.plain("tools-empty")
    if not (none.ok and empty.ok) or none.text == empty.text:
        return
    remedy = "In the chat template, test with `{% if tools %}`, which is false for an empty list."
    if _words(empty.text) - _words(none.text):
        line = _line_of_its_own(empty.text, none.text)
        what = f"writes {quote(line)} if the list of tools is empty, but not if there is no list"
    elif (lacks := unbalanced(empty.text)) and not unbalanced(none.text):
        what = f"writes an empty list of tools that cannot be parsed: a {lacks} is missing"
    else:
        what = "writes different prompts for an empty list of tools and for no list"
    said, also = ("empty list", what), (("tools-none", none),)
    yield part_finding(one, Severity.INFO, said, ("tools-empty", empty), remedy, also)


def _line_of_its_own(text: str, other: str) -> str:
    """Return the longest line, or its first words, that is in one text alone.

    >>> _line_of_its_own("You call functions. Hi\\n<end>", "You Hi\\n<end>")
    'call functions.'
    """
    start = _alike(text, other)
    end = _alike(text[start:][::-1], other[start:][::-1])
    middle = text[start : len(text) - end]
    lines = [line for line in middle.splitlines() if line not in other]
    return shorten(max(lines, key=len, default=middle), SHOWN, placeholder=" ...")


def _alike(text: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False))
    )


def _words(text: str) -> Counter[str]:
    """Count the words of a text without its markers."""
    return Counter(WORD.findall(MARKERS.sub(" ", text)))
