"""A change of a JSON file or a file of lines touches the value alone, and nothing around it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.fix.stage import edited, merge_lines, merges_in
from tokaudit.report.repair import Change, ChangeKind
from tokaudit.subject.editing.json_text import with_value, without_value

CONFIG = '{\n    "b": "\\u00e9",\n    "a": [1,2],   "c": {"d": null}\n}\n'

names = st.text(max_size=4)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


def pointer_of(key: str) -> str:
    """A pointer to a key at the top."""
    return "/" + key.replace("~", "~0").replace("/", "~1")


def test_a_value_is_replaced_and_every_other_byte_stays() -> None:
    assert with_value(CONFIG, "/a/1", 3) == CONFIG.replace("[1,2]", "[1,3]")
    assert with_value(CONFIG, "/c/d", True) == CONFIG.replace("null", "true")


def test_letters_are_escaped_where_the_file_escapes_them() -> None:
    assert '"b": "\\u00fc"' in with_value(CONFIG, "/b", "ü")
    assert with_value('{"b": "é"}', "/b", "ü") == '{"b": "ü"}'


def test_a_new_key_is_put_last_with_the_indent_of_the_others() -> None:
    assert with_value('{\n  "a": 1\n}\n', "/b", 2) == '{\n  "a": 1,\n  "b": 2\n}\n'
    assert with_value("{}", "/b", 2) == '{"b": 2}'
    assert with_value('{"a":[1]}', "/a/-", 2) == '{"a":[1,2]}'


def test_a_key_that_is_removed_takes_its_comma_with_it() -> None:
    assert json.loads(without_value(CONFIG, "/c")) == {"b": "é", "a": [1, 2]}
    assert without_value('{"a": 1}', "/a") == "{}"
    assert without_value("[1, 2, 3]", "/1") == "[1, 3]"


@given(st.dictionaries(names, values, max_size=4), names, values, st.sampled_from((None, 2)))
def test_any_value_of_any_object_can_be_set(
    whole: dict[str, object], key: str, value: object, indent: int | None
) -> None:
    text = json.dumps(whole, indent=indent)
    assert json.loads(with_value(text, pointer_of(key), value)) == {**whole, key: value}


@given(
    st.dictionaries(names, values, min_size=1, max_size=4), st.data(), st.sampled_from((None, 1))
)
def test_any_key_of_any_object_can_be_removed(
    whole: dict[str, object], data: st.DataObject, indent: int | None
) -> None:
    key = data.draw(st.sampled_from(sorted(whole)))
    text = json.dumps(whole, indent=indent)
    left = {name: value for name, value in whole.items() if name != key}
    assert json.loads(without_value(text, pointer_of(key))) == left


@pytest.mark.parametrize("pointer", ["/x/y", "/a/7", "/a/b"])
def test_a_pointer_that_leads_nowhere_is_refused(pointer: str) -> None:
    with pytest.raises(UnreadableError, match="this JSON pointer leads to no value"):
        with_value('{"a": [1]}', pointer, 2)


@pytest.mark.parametrize("data", [b"{", b"\xff", b"[" * 100_000])
def test_a_file_that_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError, match="is not JSON"):
        edited(data, Change(ChangeKind.SET, "x.json", "/a", None, 1))


def test_a_binary_file_is_not_edited() -> None:
    change = Change(ChangeKind.SET, "model.gguf", "tokenizer.ggml.pre", None, "llama-bpe")
    with pytest.raises(UnreadableError, match=r"model\.gguf"):
        edited(b"GGUF", change)


def test_a_line_is_set_or_removed_and_keeps_its_end() -> None:
    data = b"#version: 0.2\r\na b\r\nab c\r\n"
    at = Change(ChangeKind.SET, "merges.txt", "line 2", None, "x y")
    assert edited(data, at) == b"#version: 0.2\r\nx y\r\nab c\r\n"
    gone = Change(ChangeKind.REMOVE, "merges.txt", "line 2")
    assert edited(data, gone) == b"#version: 0.2\r\nab c\r\n"


def test_merges_become_lines_and_lines_become_merges() -> None:
    data = b"#version: 0.2\na b\nab c\n"
    assert merges_in(data) == ["a b", "ab c"]
    assert merge_lines([["a", "b"], "ab c"], data) == data
    with pytest.raises(UnreadableError, match="a space or a line break"):
        merge_lines([["a ", "b"]])
