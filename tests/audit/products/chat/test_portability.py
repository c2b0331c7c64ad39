"""Constructs that other engines read otherwise: each found by one template, none in plain ones."""

from __future__ import annotations

import pytest

from tokaudit.products.chat.rendering.environment import environment
from tokaudit.products.chat.rendering.reading.portability import divergences
from tokaudit.products.chat.rendering.terms import Construct, Dialect, Divergence
from tokaudit_suites.chat_template.portable import readings

HOLDS = {
    Construct.RAW: "{% raw %}{{ x }}{% endraw %}",
    Construct.KEPT_INDENT: "  {%+ if true %}x{% endif %}",
    Construct.WITH: "{% with x = 1 %}{{ x }}{% endwith %}",
    Construct.RECURSIVE: "{% for m in messages recursive %}{{ m.role }}{% endfor %}",
    Construct.CALL_BLOCK: "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}a{% endcall %}",
    Construct.PRINTED_CONSTANT: "{{ tools is defined }}",
    Construct.PRINTED_COLLECTION: "{{ [1] + messages }}",
    Construct.PRINTED_FLOAT: "{{ 1.0 }}",
    Construct.CHAINED: "{% if 1 < messages|length < 3 %}x{% endif %}",
    Construct.REPEATED: "{{ '-' * 3 }}",
    Construct.DIVIDED: "{{ messages|length / 2 }}",
    Construct.NEGATIVE: "{% if (loop.index0 - 1) % 2 == 0 %}x{% endif %}",
    Construct.RARE_FILTER: "{{ 3.1|round }}",
    Construct.PYTHON_METHOD: "{{ messages[0].content.find('x') }}",
    Construct.PYTHON_FORMAT: "{{ '%s' % messages[0].role }}",
    Construct.GLOBAL: "{% set n = dict(a=1) %}",
    Construct.MAPPED_FILTER: "{{ messages|map('upper')|list|length }}",
    Construct.CYCLE: "{% for m in messages %}{{ loop.cycle('a', 'b') }}{% endfor %}",
    Construct.STRIP: "{{ messages[0].content.strip('x') }}",
    Construct.STRIP_LINE_ENDS: "{{ messages[0].content.lstrip('\\n') }}",
    Construct.SPLIT: "{{ messages[0].content.split()|length }}",
    Construct.LENGTH: "{% set c = messages[0].content %}{% if c|length > 80 %}x{% endif %}",
    Construct.SLICE: "{{ messages[0].content[:80] }}",
    Construct.WITHIN: "{% if '</think>' in messages[0].content %}x{% endif %}",
    Construct.JINJA_FILTER: "{{ messages[0].role|upper }}",
    Construct.METHOD: "{{ messages[0].role.upper() }}",
    Construct.TOJSON: "{{ messages|tojson }}",
    Construct.KEPT_NAME: (
        "{% for m in messages %}{% if m.r is defined %}{% set r = m.r %}{% endif %}{{ r }}"
        "{% endfor %}"
    ),
    Construct.TOJSON_OPTIONS: "{{ messages|tojson(sort_keys=true) }}",
}
ROUND = "{%- for m in messages -%}"
RESET = "{%- set r = '' -%}"
SET = "{%- if m.reasoning -%}{%- set r = m.reasoning -%}{%- endif -%}"
READ = "{{ r }}{%- endfor -%}"
OR_REFUSED = "{%- if m.x -%}{%- set r = m.x -%}{%- else -%}{{ raise_exception('no') }}{%- endif -%}"
KEPT = {
    ROUND + SET + READ: True,
    ROUND + "{%- if m.role == 'assistant' -%}" + SET + "{{ r }}{%- endif -%}{%- endfor -%}": True,
    RESET + ROUND + SET + READ: True,
    ROUND + RESET + SET + READ: False,
    ROUND + SET + "{%- endfor -%}": False,
    ROUND
    + "{%- if m.x -%}{%- set r = 1 -%}{%- else -%}{%- set r = 2 -%}{%- endif -%}"
    + READ: False,
    ROUND + OR_REFUSED + READ: False,
    "{%- for r in messages -%}{%- if r.x -%}{%- set r = r.x -%}{%- endif -%}" + READ: False,
}
PLAIN = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}",
    "{% if messages|length > 2 and (loop.index0 % 2 == 0) %}{{ loop.index0 + 1 }}{% endif %}",
    "{% if m.content|length > 0 and 'content' in m %}{{ m.content | trim }}{% endif %}",
    "{% set x = true %}{% if x == true and tools is not none %}{{ 'a' if x else 'b' }}{% endif %}",
    "{% set rest = messages[1:] + [messages[0]] %}{{ m.content.split('</think>')[-1] }}",
    "{% generation %}{{ m.content }}{% endgeneration %}{{ m.content.strip() }}",
)


def found(template: str) -> list[Divergence]:
    sandbox = environment(Dialect.TRANSFORMERS_5)
    return divergences(template, sandbox, sandbox.parse(template))


def test_every_construct_has_a_template_here_and_an_effect_in_the_table() -> None:
    assert set(HOLDS) == set(Construct) == set(readings())


@pytest.mark.parametrize("construct", Construct)
def test_a_construct_is_found_by_its_template(construct: Construct) -> None:
    assert construct in [one.construct for one in found(HOLDS[construct])]


@pytest.mark.parametrize("template", PLAIN)
def test_what_all_engines_read_alike_is_silent(template: str) -> None:
    assert found(template) == []


@pytest.mark.parametrize("template", KEPT)
def test_a_name_is_kept_that_a_round_reads_and_only_a_branch_has_set(template: str) -> None:
    kept = [one for one in found(template) if one.construct is Construct.KEPT_NAME]
    assert bool(kept) is KEPT[template]


def test_a_place_has_its_line_and_its_code() -> None:
    assert found("one\n{{ messages|tojson }}") == [
        Divergence(Construct.TOJSON, 2, "messages|tojson")
    ]
