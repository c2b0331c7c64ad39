"""The role matrix, and conversations of users."""

from __future__ import annotations

import pytest

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.conversations.conversation import read, role_matrix


def test_the_role_matrix_has_fifty_two_conversations_each_with_its_purpose() -> None:
    """Ids are unique, or reading would have refused them."""
    assert len(role_matrix()) == 52
    assert all(one.about for one in role_matrix())


def test_the_role_matrix_covers_what_templates_disagree_on() -> None:
    """One conversation at least for each of these."""
    roles = {one.roles for one in role_matrix()}
    assert {("user",), ("system", "user"), ("user", "assistant") * 1, ("system",)} <= roles
    assert ("user", "user", "assistant") in roles
    assert ("system", *("user", "assistant") * 4) in roles
    assert any(one.tools for one in role_matrix())
    assert any(one.documents for one in role_matrix())
    assert any(one.continue_final for one in role_matrix())
    assert any(isinstance(m.get("content"), list) for one in role_matrix() for m in one.messages)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "x.jsonl:1: is not JSON: "),
        (b"[]", "x.jsonl:1: expected an object with the key 'messages'"),
        (b'{"id": "a"}', "x.jsonl:1: Object missing required field `messages`"),
        (b'{"messages": []}', "x.jsonl:1: 'messages' is empty"),
        (b'{"messages": "Hi"}', "x.jsonl:1: Expected `array`, got `str` - at `$.messages`"),
        (b'{"messages": [{"content": "Hi"}]}', "x.jsonl:1: message 0 has no 'role'"),
        (b'{"messages": [{"role": "user"}], "tols": []}', "x.jsonl:1: unknown key 'tols'; known keys: "),
        (b'{"messages": [{"role": "user"}], "variables": {"tools": 1}}', "x.jsonl:1: 'variables' must not contain the reserved name 'tools'"),
        (b"\n\n", "x.jsonl: contains no conversation"),
        (b'{"id":"a","messages":[{"role":"user"}]}\n{"id":"a","messages":[{"role":"user"}]}', "x.jsonl: two conversations have the id 'a'"),
    ],
)  # fmt: skip
def test_a_file_of_conversations_that_is_wrong_is_refused_with_its_place(
    line: bytes, words: str
) -> None:
    """File, line and what to change."""
    with pytest.raises(UnreadableError) as refused:
        read(line, "x.jsonl")
    assert str(refused.value)[: len(words)] == words
