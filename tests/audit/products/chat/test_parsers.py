"""Values in calls as parsers of servers read them, each by the parser's own rule."""

from __future__ import annotations

from typing import Any

import pytest

from tokaudit.products.chat.work.shapes.parsers import FORMATS, UNREAD, same_values, values_written

PARSERS = {parser.name: parser for format in FORMATS for parser in format.parsers}
READ: tuple[tuple[str, str, Any, Any], ...] = (
    ("vLLM's qwen3_coder", "\nNone\n", None, None),
    ("SGLang's qwen3_coder", "\nNone\n", None, "None"),
    ("SGLang's qwen3_coder", "\nnull\n", None, None),
    ("SGLang's qwen3_coder", "\nTrue\n", True, True),
    ("SGLang's qwen3_coder", "\n[False]\n", [False], [False]),
    ("SGLang's qwen3_coder", '\n"word"\n', "word", '"word"'),
    ("vLLM's seed_oss", "None", 1.5, "None"),
    ("vLLM's glm45", "None", None, None),
    ("vLLM's glm45", "[False]", [False], [False]),
    ("SGLang's minimax-m2", "None", None, None),
    ("SGLang's minimax-m2", "[False]", [False], "[False]"),
    ("vLLM's pythonic", "'it\\'s'", "it's", "it's"),
    ("vLLM's pythonic", "'it's'", "it's", UNREAD),
    ("vLLM's pythonic", "null", None, None),
    ("vLLM's gemma4", '<|"|>word<|"|>', "word", "word"),
    ("vLLM's gemma4", "True", True, "True"),
    ("vLLM's gemma4", "[true,1.5]", [True, 1.5], [True, 1.5]),
)


@pytest.mark.parametrize(("name", "text", "given", "read"), READ)
def test_a_parser_reads_a_value_by_its_rule(name: str, text: str, given: Any, read: Any) -> None:
    found = PARSERS[name].read(text, given)
    assert (found, type(found)) == (read, type(read))


def test_every_parser_names_its_source_at_a_commit() -> None:
    assert [name for name, each in PARSERS.items() if " at " not in each.source] == []


def test_a_call_without_an_end_ends_the_search() -> None:
    """A template may write its beginning as often as the bounds allow."""
    one = "<tool_call><arg_key>a</arg_key><arg_value>1</arg_value></tool_call>"
    (glm,) = (each for each in FORMATS if each.begin.pattern == "<tool_call>")
    assert values_written(glm, one + "<tool_call>" * 100_000) == {"a": ["1"]}
    assert values_written(glm, "<tool_call>" + " " * 3000 + one) == {}


def test_texts_without_calls_are_no_same_values() -> None:
    call = "<function=f><parameter=a>None</parameter></function>"
    assert same_values([call, "a"], [call, "b"])
    assert not same_values(["a"], ["a"])
    assert not same_values([call], [call.replace("None", "null")])
