"""Conversations of the grammar on which a template fails without refusing them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tokaudit.plugin import Evidence, Finding, Severity
from tokaudit.products.chat.rendering.grammar.features import plainest
from tokaudit.products.chat.rendering.rendering import Trouble
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.renderings import ChatRendering
from tokaudit.products.chat.work.shapes.causes import ShapeFault
from tokaudit.products.chat.work.shapes.faults import Law
from tokaudit.products.chat.work.shapes.renderings import ShapeRendering
from tokaudit_suites.chat_template._shapes import (
    PARTS_JOINED,
    asked_of,
    is_rare,
    needs_tools,
    of_parts,
    shapes,
)
from tokaudit_suites.shared.rendered_chats import named, place_of

OF_TEXTS = re.compile("'str object' has no attribute '(?:text|type)'")  # of Jinja, for a part
OF_OLDER = f"by {Dialect.TRANSFORMERS_4}"
SAYS = {
    Severity.ERROR: "fails on what transformers sends it",
    Severity.WARNING: "fails on conversations that clients send",
    Severity.INFO: "fails on conversations that it is not made for",
}


def failing_shapes(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    """Report failures in three groups: plain conversations, those clients send, and all others."""
    newer = [each for each in found.faults if each.fault.law is Law.RENDERS]
    older = [each for each in found.of_older if each.fault.law is Law.RENDERS]
    for severity in SAYS:  # the worst first, and what it says once
        of_newer = [each for each in newer if _severity(each, found) is severity]
        of_older = [each for each in older if _severity(each, found) is severity]
        known = {(each.fault.law, each.words) for each in (*of_newer, *of_older)}
        newer, older = (
            [each for each in faults if (each.fault.law, each.words) not in known]
            for faults in (newer, older)
        )
        if of_newer or of_older:
            yield _finding(one, found, severity, of_newer, of_older)


def refused_amounts(one: ChatRendering, found: ShapeRendering) -> Iterator[Finding]:
    """Report amounts and ids that a template refuses with an otherwise unused message."""
    rows = list(zip(found.conversations, found.texts, strict=True))
    usual = {text.error for each, text in rows if each.chosen["amount"] == plainest()["amount"]}
    for each, text in rows:
        if text.trouble is Trouble.RAISED and text.error not in usual:
            amount = each.chosen["amount"]
            yield Finding(
                Severity.INFO,
                f"{named(one.template)} refuses {amount}, which clients send: {text.error}.",
                (place_of(one.template),),
                (Evidence("facts", facts={each.id: text.error}),),
                remedy="In the chat template, write such messages, or let the server change them "
                "before it renders the chat.",
                cause="refuses an amount",
            )


def _severity(fault: ShapeFault, found: ShapeRendering) -> Severity:
    """Return an error if texts, described tools and mappings fail, else rate what clients send."""
    tools = needs_tools(fault)
    if fault.plain:
        for_parts = OF_TEXTS.search(fault.words)  # made for lists alone
        known = found.takes_tools or not tools
        return Severity.ERROR if known and not for_parts else Severity.INFO
    if is_rare(fault):
        return Severity.INFO
    if of_parts(fault) and not found.takes_parts:
        return Severity.INFO
    return Severity.INFO if tools and not found.takes_tools else Severity.WARNING


def _finding(
    one: ChatRendering,
    found: ShapeRendering,
    severity: Severity,
    newer: Sequence[ShapeFault],
    older: Sequence[ShapeFault],
) -> Finding:
    told = [*_told(newer), *(f"{line} {OF_OLDER}" for line in _told(older))]
    more = f"; and {len(told) - 2} more" if len(told) > 2 else ""
    parts = any(map(of_parts, newer)) and not found.takes_parts
    joined = f" {PARTS_JOINED}" if parts else ""
    faults = [*newer, *older]
    facts = {f"line {each.fault.line}: {each.shape}": each.words for each in faults}
    return Finding(
        severity,
        f"{named(one.template)} {SAYS[severity]}: {'; '.join(told[:2])}{more}.{joined}",
        (place_of(one.template),),
        (Evidence("facts", facts=facts), *map(asked_of, faults[:2])),
        remedy="In the chat template, test what a message or a tool may lack (`is string`, "
        "`is defined`, `or ''`), or call `raise_exception`.",
        cause="fails on a plain chat" if severity is Severity.ERROR else "fails on a shape",
    )


def _told(faults: Sequence[ShapeFault]) -> list[str]:
    """List the line, the error and the shapes of each failure."""
    by_error: dict[tuple[int, str], list[ShapeFault]] = {}
    for each in faults:
        by_error.setdefault((each.fault.line, each.words.rstrip(".")), []).append(each)
    return [
        f"{words} in line {line} (tested as {shapes(of_error)})"
        for (line, words), of_error in by_error.items()
    ]
