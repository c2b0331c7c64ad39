"""What the renderer makes of a template: the environment's rules, spans, bounds and errors."""

from __future__ import annotations

from typing import Any

import pytest

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import Rendering, RenderRequest, Trouble
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.subject.conversations.conversation import Conversation

HELLO = Conversation("hello", ({"role": "user", "content": "Hi"},))
V4, V5 = Dialect.TRANSFORMERS_4, Dialect.TRANSFORMERS_5


def plain(template: str, given: Conversation = HELLO, dialect: Dialect = V5) -> Rendering:
    """The whole conversation without a generation prompt."""
    request = RenderRequest(template, (given,), {"bos_token": "<s>"}, dialect)
    found = render(request)
    if found.trouble is not None:
        return Rendering(trouble=found.trouble, error=found.error)
    return found.conversations[0].whole.plain


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{% if true %}\n  {% set x = 1 %}\nyes\n{% endif %}", "yes\n"),
        ("{{ {'a': '<é>&\"'}|tojson }}", '{"a": "<é>&\\""}'),
        ("{{ {'b': 1, 'a': [2]}|tojson(indent=1, sort_keys=true) }}", '{\n "a": [\n  2\n ],\n "b": 1\n}'),
        ("{{ {'a': [1, 2]}|tojson(separators=(',', ':')) }}", '{"a":[1,2]}'),
        ("{{ 'é'|tojson(ensure_ascii=true) }}", '"\\u00e9"'),
        ("{% for i in range(9) %}{% if i == 1 %}{% continue %}{% endif %}{% if i > 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "02"),
        ("{{ strftime_now('%d %b %Y') }}", "02 Jan 2025"),
        ("{{ bos_token }}{{ nothing }}|{{ tools }}|{{ documents }}|{{ add_generation_prompt }}", "<s>|None|None|False"),
        ("{{ dict(a=1) }}{{ dict.fromkeys('a') }}", "{'a': 1}{'a': None}"),
    ],
)  # fmt: skip
def test_the_environment_is_that_of_transformers(template: str, text: str) -> None:
    """White space, JSON, loop controls, the clock, special tokens and what is undefined."""
    assert plain(template) == Rendering(text)


def test_only_the_newer_dialect_refuses_a_namespace_with_underscores() -> None:
    """5.x does, 4.57 does not."""
    template = "{% set n = namespace(_a='x') %}{{ n._a }}"
    assert plain(template).trouble is Trouble.FAILED
    assert plain("{% set n = namespace() %}{% set n._a = 1 %}").trouble is Trouble.FAILED
    assert plain("{% set n = namespace(self=1) %}{{ n.self }}") == Rendering("1")
    assert plain(template, dialect=V4) == Rendering("")  # the sandbox reads it as undefined


def test_spans_of_the_assistant_are_where_the_generation_tag_writes() -> None:
    """Half-open, in characters."""
    found = plain(
        "é<a>{% generation %}one{% endgeneration %}</a>{% generation %}2{% endgeneration %}"
    )
    assert found == Rendering("é<a>one</a>2", ((4, 7), (11, 12)))


def test_a_span_at_the_very_start_is_lost_by_the_older_dialect_alone() -> None:
    """4.57 takes an empty text for no text."""
    template = "{% generation %}one{% endgeneration %} {% generation %}2{% endgeneration %}"
    assert plain(template, dialect=V5).assistant == ((0, 3), (4, 5))
    assert plain(template, dialect=V4).assistant == ((4, 5),)


@pytest.mark.parametrize(
    ("template", "trouble", "error"),
    [
        ("{{ raise_exception('no system role') }}", Trouble.RAISED, "no system role"),
        ("{% if %}", Trouble.FAILED, "line 1: Expected an expression, got 'end of statement block'"),
        ("{{ nothing.deep }}", Trouble.FAILED, "UndefinedError: 'nothing' is undefined"),
        ("{{ 1|nosuch }}", Trouble.FAILED, "line 1: No filter named 'nosuch'."),
        ("{{ messages[0].update(role='x') }}", Trouble.FAILED, "SecurityError: "),
        ("{{ ''.__class__ }}", Trouble.UNSAFE, "line 1: dunder access: ''.__class__"),
        ("{{ 9**(9**9) }}", Trouble.LIMIT, "TooMuch: a power of more than 1,000,000 bits"),
        ("{{ ('a' * 10**10)|length }}", Trouble.LIMIT, "TooMuch: a repetition of more than 4,000,000 items"),
        ("{% for a in range(9999) %}{{ 'abcdefghij' * 99 }}{% endfor %}", Trouble.LIMIT, "TooMuch: a text of more than"),
        ("{{ range(10**9)|list }}", Trouble.LIMIT, "OverflowError: Range too big."),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", Trouble.LIMIT, "RecursionError: "),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", Trouble.LIMIT, "RecursionError: "),
    ],
)  # fmt: skip
def test_an_error_is_data_in_its_own_words(template: str, trouble: Trouble, error: str) -> None:
    """Refusals of the template, mistakes in it, and what it may not ask for are told apart."""
    found = plain(template)
    assert (found.trouble, found.error[: len(error)]) == (trouble, error)


def test_every_step_is_rendered_with_and_without_the_generation_prompt() -> None:
    """One step for each message."""
    talk = Conversation(
        "talk", ({"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"})
    )
    template = (
        "{% for m in messages %}[{{ m.content }}]{% endfor %}{{ '>' if add_generation_prompt }}"
    )
    (found,) = render(RenderRequest(template, (talk,))).conversations
    texts = [(s.messages, s.plain.text, s.prompted and s.prompted.text) for s in found.steps]
    assert texts == [(1, "[Hi]", "[Hi]>"), (2, "[Hi][Yo]", "[Hi][Yo]>")]


def test_a_conversation_to_be_continued_ends_where_its_last_message_does() -> None:
    """No end of turn; a template that trims contents trims here too."""
    open_end = Conversation(
        "open", ({"role": "assistant", "content": "Once "},), continue_final=True
    )
    assert plain("<a>{{ messages[0].content }}</a>", open_end) == Rendering("<a>Once ")
    assert plain("<a>{{ messages[0].content|trim }}</a>", open_end) == Rendering("<a>Once")
    assert plain("<a></a>", open_end).trouble is Trouble.FAILED


@pytest.mark.parametrize(("dialect", "text"), [(V4, "None|-"), (V5, "-|why")])
def test_the_newer_dialect_drops_null_and_names_reasoning(dialect: Dialect, text: str) -> None:
    """A content of null is missing there, and older names of the reasoning are read."""
    message: dict[str, Any] = {"role": "assistant", "content": None, "reasoning": "why"}
    template = "{{ messages[0].content if 'content' in messages[0] else '-' }}|{{ messages[0].reasoning_content or '-' }}"
    assert plain(template, Conversation("null", (message,)), dialect) == Rendering(text)
