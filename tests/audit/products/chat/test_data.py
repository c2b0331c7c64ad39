"""Conversations in every form in which people keep them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit.subject.conversations.reading import ChatData

ASKED, ANSWERED = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}
MESSAGES = [ASKED, ANSWERED]
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
TURNS = [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yes"}]


def read(folder: Path, text: str) -> list[Conversation]:
    (folder / "data.jsonl").write_text(text, encoding="utf-8")
    return list(ChatData(folder / "data.jsonl").conversations())


ROWS: dict[str, Any] = {
    "messages": {"messages": MESSAGES},
    "OpenAI's with further keys": {"messages": MESSAGES, "parallel_tool_calls": False},
    "ShareGPT": {"conversations": TURNS},
    "ShareGPT with messages": {"conversations": MESSAGES},
    "prompt and completion": {"prompt": [ASKED], "completion": [ANSWERED]},
    "a bare list": MESSAGES,
    "messages as JSON in a text": {"messages": json.dumps(MESSAGES)},
    "ShareGPT as JSON in a text": {"conversations": json.dumps(TURNS)},
    "prompt and completion as texts of JSON": {
        "prompt": json.dumps([ASKED]),
        "completion": json.dumps([ANSWERED]),
    },
    "an unused column": {"messages": MESSAGES, "source": "web"},
}


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_every_form_gives_the_same_conversation(row: Any, tmp_path: Path) -> None:
    (one,) = read(tmp_path, json.dumps(row))
    assert (one.id, list(one.messages), one.tools) == ("line 1", MESSAGES, None)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([{"messages": MESSAGES}] * 2),
        json.dumps([{"messages": MESSAGES}] * 2, indent=2),
        "\n".join([json.dumps({"messages": MESSAGES}, indent=2)] * 2),
        "\n".join([json.dumps({"messages": MESSAGES})] * 2),
        "\ufeff" + "\n".join([json.dumps({"messages": MESSAGES})] * 2) + "\n\n",
    ],
    ids=["a list on one line", "a pretty list", "pretty objects", "lines", "with a mark"],
)
def test_every_way_to_write_json_gives_the_same_conversations(text: str, tmp_path: Path) -> None:
    found = read(tmp_path, text)
    assert [list(one.messages) for one in found] == [MESSAGES, MESSAGES]
    assert len({one.id for one in found}) == 2


def test_a_preference_is_two_conversations_after_one_prompt(tmp_path: Path) -> None:
    row = {"prompt": [ASKED], "chosen": [ANSWERED], "rejected": [{**ANSWERED, "content": "No"}]}
    chosen, rejected = read(tmp_path, json.dumps(row))
    assert (chosen.id, rejected.id) == ("line 1 chosen", "line 1 rejected")
    assert [one.messages[-1]["content"] for one in (chosen, rejected)] == ["Yes", "No"]


def test_tools_and_variables_come_with_the_messages(tmp_path: Path) -> None:
    """A column of tools is often JSON in a text."""
    for tools in ([TOOL], json.dumps([TOOL])):
        row = {"messages": MESSAGES, "tools": tools, "chat_template_kwargs": {"thinking": False}}
        (one,) = read(tmp_path, json.dumps(row))
        assert one.tools == (TOOL,)
        assert one.variables == {"thinking": False}


def test_ids_that_were_sampled_come_with_the_messages(tmp_path: Path) -> None:
    (one,) = read(tmp_path, json.dumps({"messages": MESSAGES, "completion_ids": [7, 8]}))
    assert one.completion_ids == (7, 8)


def test_calls_of_sharegpt_are_calls(tmp_path: Path) -> None:
    call = {"from": "function_call", "value": '{"name": "look", "arguments": {"at": "x"}}'}
    seen = {"from": "observation", "value": "nothing"}
    (one,) = read(tmp_path, json.dumps({"system": "Look.", "conversations": [*TURNS, call, seen]}))
    assert one.roles == ("system", "user", "assistant", "assistant", "tool")
    assert one.messages[3]["tool_calls"][0]["function"]["arguments"] == {"at": "x"}


def test_parquet_gives_what_its_rows_said(tmp_path: Path) -> None:
    """A column has every key that any row has; what is null was not said."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [{"messages": MESSAGES}, {"messages": [{**ASKED, "name": "Ann"}]}]
    path = tmp_path / "data.parquet"
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    found = list(ChatData(path).conversations())
    assert [one.id for one in found] == ["row 1", "row 2"]
    assert [list(one.messages) for one in found] == [MESSAGES, rows[1]["messages"]]


def test_what_is_ignored_is_counted(tmp_path: Path) -> None:
    row = json.dumps({"messages": MESSAGES, "source": "web", "score": 1})
    (tmp_path / "data.jsonl").write_text(f"{row}\n{row}\n", encoding="utf-8")
    data = ChatData(tmp_path / "data.jsonl")
    assert len(list(data.conversations())) == 2
    assert data.ignored == {"source": 2, "score": 2}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"text": "Hi"}', "line 1: has none of the keys "),
        ('{"prompt": "Hi", "completion": "Yes"}', "line 1: 'prompt' is a text; write it as "),
        ('{"messages": []}', "line 1: 'messages' is empty; leave the row out"),
        ('{"messages": "[{"}', "line 1: 'messages' is a text and not JSON: "),
        ('{"messages": {"role": "user"}}', "line 1: 'messages' is an object and not a list"),
        ('{"messages": "{}"}', "line 1: 'messages' is an object and not a list of messages; write"),
        ('{"messages": ["Hi"]}', "line 1: message 0 is not an object; write each as in "),
        ('{"messages": [{"content": "Hi"}]}', "line 1: message 0 has no 'role'"),
        ('{"messages": [{"role": "user"}], "completion_ids": ["a"]}', "line 1: 'completion_ids' is "),
        ("3", "line 1: expected an object with the key 'messages'"),
        ('{"messages": [{"role": "user"}], "tools": "x"}', "line 1: 'tools' is a text and not JSON"),
        ('{"messages": [{"role": "user"}], "variables": {"tools": 1}}', "line 1: 'variables' must not contain the reserved name 'tools'"),
        ('{"a": 1}\n{', "line 1: has none of the keys "),
    ],
)  # fmt: skip
def test_a_row_that_is_no_conversation_is_named_with_its_place(
    text: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(UnreadableError) as refused:
        read(tmp_path, text)
    assert str(refused.value).partition(": ")[2].startswith(words)


def test_a_broken_line_is_named_by_its_number(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"data\.jsonl:2: is not JSON"):
        read(tmp_path, json.dumps({"messages": MESSAGES}) + "\n{\n")
