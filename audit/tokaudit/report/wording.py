"""Short words for what a report holds, and the code in sentences that are our own.

Markdown's backquotes mark code in texts of checks alone: why one matters and what to do.  Messages
quote what others wrote, where a backquote is only a character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tokaudit.report.model import Finding, Place, Severity
from tokaudit.report.visible import LONGEST, text_of

MINIMAL = "minimal text"
MOST_NAMES = 3  # of tokenizers that are the same in something; more are counted
MOST_LEFT_OUT = 2  # of the others that are named
# Words that a message begins with and that are small after a colon; a name keeps its capital.
OPENING = re.compile(r"(?:The|An?|This|These|No|Some|Every|Each|It|Its|There|In|Only|All|Cannot)\b")
QUOTED = re.compile(r"`([^`\s](?:[^`]{0,200}[^`\s])?)`")


def named(findings: Sequence[Finding], room: int) -> str:
    """Name as many findings as fit, by check and start of message."""
    share = max(50, room // min(len(findings), 3) - 2)
    parts: list[str] = []
    for finding in findings:
        part = cut(f"{finding.check}: {finding.message}", share)
        if parts and len("; ".join([*parts, part])) > room:
            return "; ".join(parts) + f"; and {len(findings) - len(parts)} more"
        parts.append(part)
    return "; ".join(parts)


def cut(text: str, most: int) -> str:
    """Shorten a text to `most` characters.

    >>> cut("abcdef", 4), cut("abcd", 4)
    ('abc…', 'abcd')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def counted(n: int, noun: str) -> str:
    """Format a count with its noun; a severity counts its findings.

    >>> counted(1, "text"), counted(1, Severity.ERROR), counted(2, Severity.INFO)
    ('1 text', '1 error', '2 notes')
    """
    named = "note" if noun == Severity.INFO else noun
    return f"{n:,} {named}" + ("" if n == 1 else "s")


def few(names: Sequence[str], every: Sequence[str]) -> str:
    """List a few names, or count them and list the few others.

    >>> few(["a", "b"], ["a", "b", "c"]), few(["a", "b"], ["a", "b"])
    ('a, b', 'both tokenizers')
    >>> few(["a", "b", "c", "d"], ["a", "b", "c", "d", "e"])
    '4 of 5 tokenizers, all but e'
    """
    others = [each for each in every if each not in names]
    if names and not others and every[1:]:
        return f"all {len(names):,} tokenizers" if names[2:] else "both tokenizers"
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    but = f", all but {' and '.join(others)}" if 0 < len(others) <= MOST_LEFT_OUT else ""
    return f"{len(names):,} of {len(every):,} tokenizers{but}"


def of_part(name: str, part: str) -> str:
    """Name a check or failure with its part, for a repository of several tokenizers.

    >>> of_part("vocab/holes", "tokenizer_2"), of_part("vocab/holes", "")
    ('vocab/holes [tokenizer_2]', 'vocab/holes')
    """
    return f"{name} [{part}]" if part else name


def located(subject: str, file: str) -> str:
    """Name a file with the folder, package or name of its subject.

    >>> located("models/a", "tokenizer.json"), located("models/a.json", "a.json")
    ('models/a/tokenizer.json', 'models/a.json')
    """
    return subject if not file or subject.endswith(file) else f"{subject.rstrip('/')}/{file}"


def in_part(part: str, message: str) -> str:
    """Put the part in front of a message, unless a file name in it shows the part.

    >>> in_part("cut", "The pad token is missing"), in_part("cut", "cut/config.json has no pad id")
    ('in the folder cut, the pad token is missing', 'cut/config.json has no pad id')
    """
    named = re.search(rf"(?<![\w./-]){re.escape(part)}/|^{re.escape(part)} ", message[:LONGEST])
    return message if named or part in ("", ".") else f"in the folder {part}, {small(message)}"


def place_words(place: Place) -> str:
    """Return the file and pointer of a place, and what implies an unstated value.

    >>> place_words(Place("vocab", "tokenizer.json", "/model/vocab"))
    'tokenizer.json /model/vocab'
    >>> place_words(Place("decoder", "vocab.json", implied_by="AcornTokenizer"))
    'vocab.json (stated by no file, implied by AcornTokenizer)'
    """
    return " ".join(part for part in (place.file, place.pointer, implied(place)) if part)


def implied(place: Place) -> str:
    """Return what implies an unstated value; empty for a value that a file states."""
    return f"(stated by no file, implied by {place.implied_by})" if place.implied_by else ""


def first_text(finding: Finding) -> str | None:
    """Return the first text that shows the finding, if it has one."""
    return next((text for text, _ in _texts(finding)), None)


def text_words(finding: Finding) -> str:
    """Return the label of a finding's first text, minimal only if it was minimised.

    >>> from tokaudit.report.model import Evidence
    >>> shown = [Evidence("text", "ab", minimal=minimal) for minimal in (False, True)]
    >>> [text_words(Finding(Severity.ERROR, "m", evidence=(one,), cause="c")) for one in shown]
    ['text', 'minimal text']
    """
    return MINIMAL if any(minimal for _, minimal in islice(_texts(finding), 1)) else "text"


def _texts(finding: Finding) -> Iterator[tuple[str, bool]]:
    for one in finding.evidence:
        text = text_of(one.text, one.text_base64) if one.kind == "text" else None
        if text is not None:
            yield text, one.minimal


def small(message: str) -> str:
    """Return a message as it follows a colon.

    >>> small("The pad token is missing"), small("AcornTokenizer adds a token")
    ('the pad token is missing', 'AcornTokenizer adds a token')
    """
    return message[:1].lower() + message[1:] if OPENING.match(message) else message


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a sentence; `code` if it is typed or part of a file."""

    text: str
    code: bool = False


def spans(text: str) -> Iterator[Span]:
    """The stretches of a sentence; a backquote without another one is a character.

    What is too long to be shown whole is data, and is left as it is.

    >>> [(each.text, each.code) for each in spans("Test `{% if tools %}`, not ` alone.")]
    [('Test ', False), ('{% if tools %}', True), (', not ` alone.', False)]
    """
    end = 0
    for found in QUOTED.finditer(text) if len(text) <= LONGEST else ():
        if found.start() > end:
            yield Span(text[end : found.start()])
        yield Span(found[1], code=True)
        end = found.end()
    if end < len(text):
        yield Span(text[end:])


def drawn(text: str, plain: Callable[[str], str], code: Callable[[str], str]) -> str:
    """A sentence with each stretch drawn in its way.

    >>> drawn("Test `tools`.", str.upper, lambda code: f"<{code}>")
    'TEST <tools>.'
    """
    return "".join((code if each.code else plain)(each.text) for each in spans(text))
