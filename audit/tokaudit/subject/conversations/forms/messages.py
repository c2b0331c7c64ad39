"""The usual form, also OpenAI's for fine-tuning: `messages`, and optional `tools`."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.subject.conversations.row_form import DataForm, Messages, Row, messages_in


def _conversations(row: Row) -> Iterator[tuple[str, Messages]]:
    yield "", messages_in(row["messages"], "messages")


FORM = DataForm("messages", ("messages",), _conversations)
