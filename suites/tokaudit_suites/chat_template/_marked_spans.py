"""Text that a template wrongly includes in or leaves out of its generation tags."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from tokaudit.plugin import Finding, Severity
from tokaudit.products.chat.rendering.rendering import Rendering
from tokaudit.products.chat.work.part_renderings import PartRendering
from tokaudit_suites.chat_template._frames import MARKER
from tokaudit_suites.chat_template._parts import (
    ANSWER,
    FIRST_ANSWER,
    OTHER_RESULT,
    QUESTION,
    RESULT,
    SECOND_QUESTION,
    VALUE,
    part_finding,
    writes_calls,
)

OTHERS = (QUESTION, SECOND_QUESTION, RESULT, OTHER_RESULT)
REMEDY = (
    "In every turn, enclose the assistant's text and the end of its turn in the generation tags, "
    "and nothing else."
)


def wrong_spans(one: PartRendering) -> Iterator[Finding]:
    """Report the worst fault of the tags over several turns and over turns with calls."""
    ids = ("answers", "call-rounds") if writes_calls(one) else ("answers",)
    faults = [(id, fault) for id in ids if (fault := _fault(one, id, one.plain(id))) is not None]
    faults.sort(key=lambda each: each[1][0].rank)
    for id, (severity, said) in faults[:1]:
        prompt = (f"{id}, prompted", one.prompted(id, 1))
        also = (prompt,) if said[0] == "header" else ()
        yield part_finding(one, severity, said, (id, one.plain(id)), REMEDY, also)


def _fault(
    one: PartRendering, id: str, found: Rendering
) -> tuple[Severity, tuple[str, str]] | None:
    if not found.ok:
        return None
    others = [words for words in OTHERS if _inside(found, found.text.find(words))]
    if others:
        what = f"marks words of others as the assistant's: {others[0]!r}"
        return Severity.ERROR, ("marks others", what)
    answers = [words for words in (FIRST_ANSWER, ANSWER) if words in found.text]
    unmarked = [words for words in answers if not _inside(found, found.text.find(words))]
    if unmarked:
        what = f"marks some answers and leaves out others: {unmarked[0]!r}"
        return Severity.ERROR, ("some answers", what)
    call = found.text.find(VALUE, found.text.find(QUESTION))
    if id == "call-rounds" and not _inside(found, call):
        return Severity.ERROR, ("calls", "leaves calls of tools unmarked")
    header = _marked_header(one, id, found)
    if header:
        what = f"marks {header!r}, which the generation prompt contains already"
        return Severity.WARNING, ("header", what)
    if space := _after_end(found):
        what = f"marks {space!r} after the end of an answer, which no model has to write"
        return Severity.INFO, ("after the end", what)
    return None


def _after_end(found: Rendering) -> str:
    """Return the space after the last marker of a marked answer."""
    at = found.text.find(FIRST_ANSWER)
    tails = [found.text[at:end] for start, end in found.assistant if start <= at < end]
    ends = [match.end() for match in MARKER.finditer("".join(tails))]
    return "".join(tails)[ends[-1] :] if ends else ""


def _inside(found: Rendering, at: int) -> bool:
    return any(start <= at < end for start, end in found.assistant)


def _marked_header(one: PartRendering, id: str, found: Rendering) -> str:
    """Return the part of the generation prompt that the tags include."""
    plain, prompted = one.plain(id, 1).text, one.prompted(id, 1).text
    if not (found.text.startswith(plain) and prompted.startswith(plain)):
        return ""
    pairs = zip(prompted, found.text, strict=False)
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    marked = [found.text[max(start, len(plain)) : end] for start, _ in found.assistant[:1]]
    return "".join(marked).strip() and "".join(marked)
