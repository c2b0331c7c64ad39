"""The conversations of the grammar: which values meet, and what their parts are found by."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

from tokaudit.products.chat.rendering.grammar.building import built
from tokaudit.products.chat.rendering.grammar.covering import MOST, choices, shaped_conversations
from tokaudit.products.chat.rendering.grammar.features import (
    FEATURES,
    NONE,
    PLAIN,
    allowed,
    is_plain,
)
from tokaudit.subject.conversations.conversation import Conversation, role_matrix
from tokaudit_grammar.pairs import completed, met, without_needless

NOT_SENT = {
    "unknown-role": {"role critic", "user > critic", "critic > assistant", "critic text"},
}
"""What no service accepts."""


def _pairs(values: Any) -> Iterator[Any]:
    for one, other in combinations(values, 2):
        for value in values[one]:
            for second in values[other]:
                yield (one, value), (other, second)


def test_any_two_values_that_one_conversation_may_have_meet_in_one() -> None:
    found = {pair for row in choices() for pair in met(row)}
    lacking = [pair for pair in _pairs(FEATURES) if pair not in found and allowed(dict(pair))]
    assert [pair for pair in lacking if completed(dict(pair), Counter())] == []


def test_any_two_plain_values_meet_in_a_plain_conversation() -> None:
    found = {pair for row in choices() if is_plain(row) for pair in met(row)}
    lacking = [pair for pair in _pairs(PLAIN) if pair not in found and allowed(dict(pair))]
    assert [pair for pair in lacking if completed(dict(pair), Counter(), PLAIN)] == []


def test_a_table_that_lacks_a_row_lacks_a_pair() -> None:
    """The breach: each row that is no plain one is needed."""
    others = [row for row in choices() if not is_plain(row)]
    assert without_needless(others) == others


def test_there_are_at_most_240_conversations_each_with_a_name_of_its_own() -> None:
    ids = [one.id for one in shaped_conversations()]
    assert len(ids) == len(set(ids)) == 233 <= MOST


def test_no_word_of_a_part_is_in_another_part() -> None:
    for one in shaped_conversations():
        text = json.dumps([one.given.messages, one.given.documents], ensure_ascii=False)
        words = [word for part in one.parts if part.message is not None for word in part.words]
        assert {word: text.count(word) for word in words} == dict.fromkeys(words, 1)


def test_a_conversation_is_built_of_its_values() -> None:
    found = built({"calls": "c r", "tools": "without description", "result name": "absent"})
    (tool,) = found.given.tools or ()
    assert "description" not in tool["function"]
    assert [message["role"] for message in found.given.messages] == ["user", "assistant", "tool"]
    assert "name" not in found.given.messages[2]
    assert found.chosen["answer"] == NONE


def test_every_shape_of_the_role_matrix_is_in_the_grammar() -> None:
    ours = set[str]().union(*(_shapes(one.given) for one in shaped_conversations()))
    lacking = {one.id: _shapes(one) - ours for one in role_matrix()}
    assert {id: shapes for id, shapes in lacking.items() if shapes} == NOT_SENT


def _shapes(one: Conversation) -> set[str]:
    """What a conversation is like: who follows whom, and the form of each part."""
    found = {f"role {role}" for role in one.roles}
    found |= {f"{first} > {second}" for first, second in pairwise(one.roles)}
    for message in one.messages:
        found |= {f"{message['role']} {kind}" for kind in _kinds(message.get("content", ...))}
        found |= {f"key {key}" for key in message}
        for call in message.get("tool_calls") or ():
            found.add(f"arguments as {type(call['function']['arguments']).__name__}")
    for name in ("tools", "documents"):
        found.add(f"{name} {type(getattr(one, name)).__name__}")
    for tool in one.tools or ():
        found |= {f"tool with {key}" for key in tool["function"]}
    found |= {f"{name} {value}" for name, value in one.variables.items()}
    return found | {f"to be continued {one.continue_final}"}


def _kinds(content: Any) -> Iterator[str]:
    if not isinstance(content, str):
        yield "absent" if content is ... else type(content).__name__
        parts = content if isinstance(content, list) else []
        yield from (f"part {part['type']}" for part in parts)
        return
    yield "text"
    for kind, has in (
        ("empty", not content),
        ("quotes", '"' in content),
        ("lines", "\n" in content),
        ("script", not content.isascii()),
    ):
        if has:
            yield kind
