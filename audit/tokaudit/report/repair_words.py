"""Repairs in words, one line for each change, to apply by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tokaudit.report.repair import Change, ChangeKind, Decider, Repair

MOST = 6  # lines of one repair; data has all
LONGEST = 80  # characters of a value


def repair_lines(repair: Repair) -> list[str]:
    """Describe a repair in a few lines.

    >>> change = Change(ChangeKind.SET, "config.json", "/vocab_size", 458, 459)
    >>> repair_lines(Repair((change,)))
    ['set /vocab_size in config.json from 458 to 459']
    """
    if repair.decided_by is not None:
        who = "the base decides (--base)" if repair.decided_by is Decider.BASE else "you decide"
        return [f"{who}: {repair.reason}"]
    lines = list(_few(repair.changes))
    for number, each in enumerate(repair.choice):
        first = "either" if number == 0 else "or"
        lines.append(f"{first}, for {each.wanted_by}: {'; '.join(_few(each.changes, 2))}")
    return [*lines, repair.warns_of] if repair.warns_of else lines


def labelled_lines(repair: Repair) -> list[str]:
    """Describe a repair, with each change labelled; a decision needs no label.

    >>> labelled_lines(Repair((Change(ChangeKind.REMOVE, "chat_template.jinja"),)))
    ['to change: delete chat_template.jinja']
    """
    lines = repair_lines(repair)
    return lines if repair.decided_by is not None else [f"to change: {line}" for line in lines]


def _few(changes: Sequence[Change], most: int = MOST) -> Iterator[str]:
    yield from map(change_words, changes[:most])
    if len(changes) > most:
        yield f"and {len(changes) - most:,} changes more"


def change_words(change: Change) -> str:
    """Describe one change.

    >>> change_words(Change(ChangeKind.REMOVE, "tokenizer_config.json", "/legacy", True))
    'remove /legacy (true) from tokenizer_config.json'
    >>> change_words(Change(ChangeKind.REMOVE, "chat_template.jinja"))
    'delete chat_template.jinja'
    """
    match change.kind:
        case ChangeKind.RUN:
            return f"type: {change.command}"
        case ChangeKind.TAKE:
            source = f"{change.source} {change.source_pointer}".rstrip()
            return f"copy {source} over {f'{change.file} {change.pointer}'.rstrip()}"
        case ChangeKind.ADD:
            return f"add {change.pointer} to {change.file}: {_value(change.wanted)}"
        case ChangeKind.REMOVE:
            if not change.pointer:
                return f"delete {change.file}"
            return f"remove {change.pointer} ({_value(change.now)}) from {change.file}"
    now, wanted = _value(change.now), _value(change.wanted)
    return f"set {change.pointer or 'the value'} in {change.file} from {now} to {wanted}"


def _value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
