"""`tokaudit chat --check`: check a file of conversations against the laws."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokaudit.products.chat.chatting import HeldChats
    from tokaudit.report.model import Finding


TEMPLATE = ".jinja"
NO_TAGS = "the template has no generation tags, by which a trainer would mask"
NO_TEXT = "no conversation was rendered"


def check(options: argparse.Namespace) -> int:
    """Check the file, and show failing rows; return 1 if the use needs a broken law."""
    from tokaudit.cli.chat_command.drawing import draw
    from tokaudit.cli.options.settings import given, refuse_unused
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.terminal.streams import note, say
    from tokaudit.foundation.settings.setting import values
    from tokaudit.products.chat.chatting import (
        ChatSettings,
        HoldSettings,
        OfChats,
        chat,
        hold_chats,
    )

    refuse_unused(options, ChatSettings, (HoldSettings,), "has no meaning with --check")
    asked = given(options, HoldSettings)
    with Progress(options.quiet, "conversations", options.color) as progress:

        def heard(count: int) -> None:
            progress.step("conversations", count, None)

        found = hold_chats(options.subject, **values(asked), heard=heard)
    say(_json(found) if options.json else "".join(f"{line}\n" for line in lines(found)))
    if found.rows and not options.json:
        shared = {field.name for field in fields(OfChats)} - {"conversations", "var"}
        shown = {name: value for name, value in values(asked).items() if name in shared}
        say("\n")
        draw(chat(options.subject, conversations=found.rows, **shown), options.color)
    findings = of_template(options.subject, options.tokenizer) if not options.json else []
    say("".join(f"{line}\n" for each in findings for line in finding_lines(each)))
    if not options.quiet and not options.json:
        note(f"{_verdict(options.subject, found, findings)}\n")
    return int(bool(found.failing) or any(each.severity == "error" for each in findings))


def of_template(subject: str, tokenizer: str | None = None) -> list[Finding]:
    """Return findings on a bare template, whose author has no other report."""
    from pathlib import Path

    if Path(subject).suffix != TEMPLATE:
        return []
    from tokaudit.products.audit.auditing import audit

    report = audit(subject, tokenizer=tokenizer, select=("chat_template",), tier="quick")
    worst_first = sorted(report.findings, key=lambda found: found.severity.rank)
    return [found for found in worst_first if found.severity != "info"]


def finding_lines(found: Finding) -> Iterator[str]:
    """Yield a finding with its remedy, in the form of the laws."""
    from tokaudit.report.visible import visible

    state = "FAIL" if found.severity == "error" else "warn"
    yield f"{state} {visible(found.message)}"
    if found.remedy:
        yield f"     to do: {visible(found.remedy)}"


def _counted(n: int, what: str = "conversation") -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _verdict(subject: str, found: HeldChats, findings: Sequence[Finding]) -> str:
    """Return the last line, in the form of reports."""
    from tokaudit.report.visible import visible

    broken, tried = len(found.failing), sum(bool(one.tried) for one in found.laws)
    errors = sum(each.severity == "error" for each in findings)
    also = f", and the template has {_counted(errors, 'error')}" if errors else ""
    if broken or errors:
        return f"FAIL  {visible(subject)}: {broken} of {tried} laws are broken{also}"
    held = sum(bool(one.tried) and not one.broken for one in found.laws)
    laws = f"all {tried} laws hold" if held == tried else f"{held} of {tried} laws hold"
    return f"PASS  {visible(subject)}: {laws} for {_counted(found.conversations)}"


def lines(found: HeldChats) -> Iterator[str]:
    """Yield each law with its state, the conversations that break it, and the remedy."""
    from tokaudit.report.visible import visible

    failing = found.failing
    yield f"{_counted(found.conversations)}; dates are those of 2 January 2025"
    for key, count in sorted(found.ignored.items()):
        yield f"  ignored: {visible(key)} ({count:,} times)"
    nothing = not any(one.tried > one.broken for one in found.laws)
    for one in found.laws:
        state = "FAIL" if one in failing else "info" if one.broken else "ok" if one.tried else "-"
        yield f"{state:4} {one.law.id}: {one.law.says}"
        if not (one.tried or one.broken):
            yield f"     not run: {NO_TAGS if one.law.of_tags and not nothing else NO_TEXT}"
        if one.broken:
            shown = ", ".join(map(visible, one.conversations))
            more = f" and {one.broken - len(one.conversations):,} more" * (
                one.broken > len(one.conversations)
            )
            share = f"{one.broken / found.conversations:.1%}"
            yield f"     broken by {one.broken:,} ({share}): {shown}{more}"
            yield f"     first: {visible(one.first)}"
            yield f"     to do: {one.law.remedy}"


def _json(found: HeldChats) -> str:
    import json

    from tokaudit.report.visible import escaped_json

    laws = [
        {
            "law": one.law.id,
            "broken": one.broken,
            "tried": one.tried,
            "conversations": one.conversations,
            "first": one.first,
            "needed_by": [use for use in one.law.needed_by if use],
        }
        for one in found.laws
    ]
    whole = {"conversations": found.conversations, "ignored": found.ignored, "laws": laws}
    return escaped_json(json.dumps(whole, indent=2)) + "\n"
