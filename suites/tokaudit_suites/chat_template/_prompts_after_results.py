"""The generation prompt after the result of a tool."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.engine.chat_parts import PartRendering
from tokaudit.report.model import Finding, Severity
from tokaudit_suites.chat_template._parts import ANSWER, RESULT, part_finding, writes_calls

WORD = re.compile(r"\w")


def prompts_after_results(one: PartRendering) -> Iterator[Finding]:
    """A result is followed by an answer, which is opened as an answer to a question is."""
    plain, prompted, answered = one.plain("call", 3), one.prompted("call", 3), one.plain("call", 4)
    if not (writes_calls(one) and plain.ok and prompted.ok and answered.ok):
        return
    opening = prompted.text.removeprefix(plain.text)
    if RESULT not in plain.text or ANSWER not in answered.text or opening == prompted.text:
        return
    usual = _after_question(one)
    if not usual:
        return  # nothing opens the answer to a question either
    if not opening and _opens(plain.text, answered.text):
        said = ("none after a result", "adds no generation prompt after the result of a tool")
        yield part_finding(one, Severity.WARNING, said, ("call", prompted))
    elif opening not in ("", usual) and not answered.text.startswith(prompted.text):
        what = f"prompts with {opening!r} after the result of a tool, and with {usual!r} after "
        said = ("other after a result", f"{what}a question")
        yield part_finding(one, Severity.WARNING, said, ("call", prompted))


def _opens(plain: str, answered: str) -> bool:
    """Whether words of the template come between the result and the answer to it."""
    if not answered.startswith(plain):
        return False
    return WORD.search(answered[len(plain) : answered.rfind(ANSWER)]) is not None


def _after_question(one: PartRendering) -> str:
    for id in ("call", "answers"):
        plain, prompted = one.plain(id, 1).text, one.prompted(id, 1).text
        if plain and prompted.startswith(plain):
            return prompted.removeprefix(plain)
    return ""
