"""Describe in words the grammar values that break a law of templates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from tokaudit.plugin import Evidence, Finding, Severity
from tokaudit.products.chat.rendering.grammar.features import OF_CALLS, OF_RESULTS, ROOM_OF_AMOUNTS
from tokaudit.products.chat.work.renderings import ChatRendering
from tokaudit.products.chat.work.shapes.causes import ShapeFault
from tokaudit_suites.shared.rendered_chats import named, place_of, shown
from tokaudit_suites.shared.wording import some

IN_PARTS = ("parts", "two parts", "picture", "system parts")
RARE = {"result": "mapping", "arguments form": "JSON text", "beginning": "s"}
"""Values that libraries pass on, and servers do not send to templates: vLLM parses arguments."""
PARTS_JOINED = (
    "Servers that join the parts of a message into one text, as vLLM does by default, never send "
    "the template a list of parts."
)


def shapes(faults: Iterable[ShapeFault]) -> str:
    """Describe the values in words, grouped by feature.

    A value of the speakers is left out where another value says more.
    """
    told: dict[str, list[str]] = {}
    for fault in sorted(faults, key=lambda each: each.rank):
        *before, (last, value) = fault.values.items()
        name = ", ".join([*(f"{one}: {other}" for one, other in before), last])
        told.setdefault(name, []).append(value)
    return some([f"'{name}: {', '.join(dict.fromkeys(values))}'" for name, values in told.items()])


def of_parts(fault: ShapeFault) -> bool:
    """Return whether the fault occurs with a list of parts as content."""
    return any(value in IN_PARTS for value in fault.values.values())


def is_rare(fault: ShapeFault) -> bool:
    """Return whether no API sends such values: results as mappings, arguments as JSON text."""
    return any(fault.values.get(name) == value for name, value in RARE.items())


def needs_tools(fault: ShapeFault) -> bool:
    """Return whether only a conversation with tools or calls has the fault."""
    values = fault.values
    offered = values.get("tools", "absent") not in ("absent", "empty list")
    calls = values.get("calls", "none") != "none"
    many = ROOM_OF_AMOUNTS.get(values.get("amount", ""), {}).get("calls", "none") != "none"
    return many or offered or calls or any(name in values for name in (*OF_CALLS, *OF_RESULTS))


def asked_of(fault: ShapeFault) -> Evidence:
    """Return the messages and tools on which the template breaks the law."""
    given = fault.shown.given
    facts: dict[str, str] = {
        f"message {number}": json.dumps(message, ensure_ascii=False)
        for number, message in enumerate(given.messages, 1)
    }
    if given.tools:
        facts["tools"] = json.dumps(given.tools, ensure_ascii=False)
    if given.variables:
        facts["variables"] = json.dumps(given.variables)
    return Evidence("facts", facts=facts, note=f"conversation {given.id}")


def shape_finding(
    one: ChatRendering, faults: Sequence[ShapeFault], severity: Severity, what: str, cause: str
) -> Finding:
    """Report a fault in forms of messages, with the smallest conversation that shows it."""
    first = faults[0]
    return Finding(
        severity,
        f"{named(one.template)} {what}.",
        (place_of(one.template),),
        (asked_of(first), shown(first.shown.id, first.rendering.text)),
        cause=cause,
    )


def places(faults: Sequence[ShapeFault]) -> str:
    """List the roles and forms of the lost words, with the values of the grammar."""
    told: dict[str, list[ShapeFault]] = {}
    for fault in faults:
        where = fault.fault.where.replace(": parts", " text in a list of parts")
        told.setdefault(where, []).append(fault)
    return some([f"{where} (tested as {shapes(of_place)})" for where, of_place in told.items()])
