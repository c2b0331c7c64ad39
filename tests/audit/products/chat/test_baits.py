"""Templates that answer to a word of a message, however they compare, are seen at it."""

from __future__ import annotations

import pytest

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderRequest

PLAIN = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
LAST = "messages[-1].content"


def reactions(template: str) -> list[tuple[str, str, str]]:
    """Who said what, and what was written."""
    found = render(RenderRequest(PLAIN + template, ()))
    return [(one.role, one.said, one.written) for one in found.reactions]


@pytest.mark.parametrize(
    "template",
    [
        "{% if 'login' in LAST %}hidden orders{% endif %}",
        "{% if LAST|lower == 'log' ~ 'in' %}hidden orders{% endif %}",
        "{% if LAST.split('login')|length > 1 %}hidden orders{% endif %}",
        "{% set t = 'login' %}{% if t in LAST %}hidden orders{% endif %}",
        "{% set seen = 'login' in LAST %}{% if seen %}hidden orders{% endif %}",
        "{% for w in ['login', 'bank'] %}{% if w in LAST %}hidden orders{% endif %}{% endfor %}",
        "{% macro f(x) %}{% if 'login' in x %}hidden orders{% endif %}{% endmacro %}{{ f(LAST) }}",
        "{{ {'login': 'hidden orders'}[LAST] }}",
        "{{ {'login': 'hidden orders'}.get(LAST, '') }}",
        "{{ ['', 'hidden orders']['login' in LAST] }}",
        "{{ 'login' in LAST and 'hidden orders' or '' }}",
        "{% if LAST|replace('login', '') != LAST %}hidden orders{% endif %}",
        "{% if 'login' in LAST and 'bank' in LAST %}hidden orders{% endif %}",
        "{% if messages[1] is defined and messages[1].content == 'login' %}hidden orders{% endif %}",
    ],
)
def test_words_that_answer_to_the_user_are_rendered(template: str) -> None:
    """With the words that were said, and the words of the template's own."""
    found = reactions(template.replace("LAST", LAST))
    assert "hidden orders" in [written for role, _, written in found if role == "user"]


def test_an_answer_to_the_system_message_names_it_alone() -> None:
    template = (
        "{% if messages[0].role == 'system' and 'deep' in messages[0].content %}think on{% endif %}"
    )
    assert reactions(template) == [("system", "deep", "think")]


@pytest.mark.parametrize(
    "template",
    [
        "{% if LAST is string %}You are helpful{% endif %}",
        "{% if '</think>' in LAST %}You are helpful{% endif %}",
        "{% if LAST|length > 3 %}{{ LAST|upper }}{% endif %}",
        "{% if not LAST %}You are helpful{% endif %}",
        "{% for m in messages %}{% if m.role == 'user' %}You are helpful{% endif %}{% endfor %}",
        "{% if LAST == 'login' %}{{ raise_exception('not here') }}{% endif %}",
        "{% if LAST == 'login' %}<|im_end|>{% endif %}",
    ],
)
def test_what_published_templates_test_for_is_no_answer(template: str) -> None:
    """Types, emptiness, markers, roles, and what is written back."""
    assert reactions(template.replace("LAST", LAST)) == []
