"""A pointer leads to the line of a file on which its value begins, or to none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.subject.material import SourceFile
from tokaudit.subject.places.json_lines import lines_of
from tokaudit.subject.places.pointers import Led, at_line, followed
from tokaudit.subject.safe_json import pointer

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def with_lines(value: Any, at: tuple[str | int, ...], line: int) -> Iterator[tuple[str, int, str]]:
    """Each line of a value written a member to a line: its pointer, its number and its text."""
    members = list(value.items() if isinstance(value, dict) else enumerate(value))
    yield pointer(*at), line, "{" if isinstance(value, dict) else "["
    for place, (key, inner) in enumerate(members):
        named = f"{json.dumps(key)}: " if isinstance(value, dict) else ""
        comma = "," if place + 1 < len(members) else ""
        line += 1
        if isinstance(inner, dict | list):
            written = list(with_lines(inner, (*at, key), line))
            first = written[0]
            yield first[0], first[1], named + first[2]
            yield from written[1:-1]
            line = written[-1][1]
            yield "", line, written[-1][2] + comma
        else:
            yield pointer(*at, key), line, named + json.dumps(inner) + comma
    yield "", line + 1, "}" if isinstance(value, dict) else "]"


@given(VALUES.filter(lambda value: isinstance(value, dict | list)))
def test_every_value_of_a_document_has_the_line_on_which_it_is_written(value: Any) -> None:
    written = list(with_lines(value, (), 1))
    expected = {place: line for place, line, _ in written if place}
    text = "\n".join(text for _, _, text in written)
    assert json.loads(text) == value
    assert lines_of(text, expected) == expected


@given(VALUES, st.text(alphabet="/~01ab", min_size=1))
def test_a_pointer_has_a_line_just_where_it_leads_to_a_value(value: Any, tail: str) -> None:
    found, node = True, value
    for part in tail.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and key in node:
            node = node[key]
        elif isinstance(node, list) and key in map(str, range(len(node))):
            node = node[int(key)]
        else:
            found = False
            break
    if tail.startswith("/"):
        assert (tail in lines_of(json.dumps(value), [tail])) is found


def test_of_a_key_that_is_given_twice_the_last_has_the_line() -> None:
    assert lines_of('{"a": 1,\n"a": {"b": 2}}', ["/a", "/a/b"]) == {"/a": 2, "/a/b": 2}


@pytest.mark.parametrize("text", ["", "{", '{"a"', '{"a":', "[1,", "nul", "[" * 100_000, "[]]"])
def test_what_is_not_json_has_no_lines(text: str) -> None:
    assert lines_of(text, ["/b", "/0/0"]) == {}


def test_a_list_of_three_hundred_thousand_merges_has_the_line_of_its_last() -> None:
    text = json.dumps({"vocab": {}, "merges": ["a b"] * 300_000}, indent=1)
    assert lines_of(text, ["/merges/299999"]) == {"/merges/299999": 300_003}


def source(path: Path, role: str = "config") -> SourceFile:
    return SourceFile(path.name, path, path.stat().st_size, role)


def test_a_file_in_utf_16_has_lines_as_parsers_read_it(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes('{\n"é": 1}'.encode("utf-16"))
    assert followed(source(path), ["/é"]) == {"/é": Led("/é", 2)}


def test_the_pointer_of_a_file_of_lines_is_its_line(tmp_path: Path) -> None:
    path = tmp_path / "merges.txt"
    path.write_text("#version: 0.2\na b\n")
    found = followed(source(path), [at_line(2), "trainer_spec.unk_id"])
    assert found == {"line 2": Led("line 2", 2)}


def test_bytes_that_are_no_text_have_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(b"\x80\x81")
    assert followed(source(path), ["/model"]) == {}
