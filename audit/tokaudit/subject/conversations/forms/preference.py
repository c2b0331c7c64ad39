"""TRL's preferences: a chosen and a rejected answer, and an optional separate prompt."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.subject.conversations.row_form import DataForm, Messages, Row, messages_in


def _conversations(row: Row) -> Iterator[tuple[str, Messages]]:
    given = row.get("prompt")
    prompt = [] if given is None else messages_in(given, "prompt")
    for key in ("chosen", "rejected"):
        yield key, [*prompt, *messages_in(row[key], key)]


FORM = DataForm("chosen and rejected", ("chosen", "rejected"), _conversations, ("prompt",))
