"""TRL's prompt and completion, both lists of messages."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.subject.conversations.row_form import DataForm, Messages, Row, messages_in


def _conversations(row: Row) -> Iterator[tuple[str, Messages]]:
    prompt = messages_in(row["prompt"], "prompt")
    yield "", [*prompt, *messages_in(row["completion"], "completion")]


FORM = DataForm("prompt and completion", ("prompt", "completion"), _conversations, prompt="prompt")
