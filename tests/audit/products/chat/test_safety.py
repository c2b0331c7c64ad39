"""What makes a template unsafe to render, and what is only worth a remark."""

from __future__ import annotations

import pytest

from tokaudit.products.chat.rendering.environment import environment
from tokaudit.products.chat.rendering.reading.safety import Rule, refusals
from tokaudit.products.chat.rendering.reading.triggers import remarks
from tokaudit.products.chat.rendering.terms import Dialect, Notice

PARSE = environment(Dialect.TRANSFORMERS_5).parse


@pytest.mark.parametrize(
    ("template", "rule"),
    [
        ("{{ ''.__class__.__mro__ }}", Rule.DUNDER),
        ("{{ messages['__class__'] }}", Rule.DUNDER),
        ("{{ messages['__cla' + 'ss__'] }}", Rule.DUNDER),
        ("{{ messages['__cla' ~ 'ss__'] }}", Rule.DUNDER),
        ("{{ messages|map(attribute='__class__')|list }}", Rule.DUNDER),
        ("{{ messages|map(attribute='role.__class__')|list }}", Rule.DUNDER),
        ("{{ '{0.__class__}'.format(messages) }}", Rule.DUNDER),
        ("{{ '%(__x__)s'|format(__x__=1) }}{{ __x__ }}", Rule.DUNDER),
        ("{{ ''|attr('upper') }}", Rule.ATTR),
        ("{{ ['']|map('attr', 'upper')|list }}", Rule.ATTR),
        ("{% include 'other' %}", Rule.IMPORT),
        ("{% import 'other' as other %}", Rule.IMPORT),
        ("{% from 'other' import thing %}", Rule.IMPORT),
        ("{% extends 'other' %}", Rule.IMPORT),
        ("{{ messages[0].content.popen('id') }}", Rule.CALL),
        ("{{ open('/etc/passwd') }}", Rule.CALL),
        ("{{ messages[0]() }}", Rule.CALL),
        ("{{ (messages or tools)() }}", Rule.CALL),
        ("{% set fs = [messages] %}{{ fs[0]() }}", Rule.CALL),
        ("{% for f in messages %}{{ f() }}{% endfor %}", Rule.CALL),
    ],
)
def test_a_template_that_reaches_out_is_refused(template: str, rule: Rule) -> None:
    """Each way out of the sandbox is named by its rule."""
    assert rule in [one.rule for one in refusals(PARSE(template))]


@pytest.mark.parametrize(
    "template",
    [
        "{% macro turn(m) %}{{ m.content.strip().split('x')[-1] }}{% endmacro %}{{ turn(messages[0]) }}",
        "{% macro one() %}1{% endmacro %}{% set all = [] %}{% set all = all + [one] %}{{ all[0]() }}",
        "{% set ns = namespace(a=1, b__c=2) %}{% set ns.a = ns.b__c %}{{ range(3)|list }}",
        "{% for m in messages %}{{ loop.cycle('a', 'b') }}{{ m.get('x', '__') }}{% endfor %}",
        "{% generation %}{{ raise_exception('no') if strftime_now is defined }}{% endgeneration %}",
        "{% for k, v in messages[0].items() %}{{ k|trim|upper ~ v|tojson }}{% endfor %}",
        "{% call(x) range(2) %}{{ x }}{% endcall %}",
    ],
)
def test_what_published_templates_do_is_not_refused(template: str) -> None:
    """Macros, methods of text and mappings, and what transformers gives are ordinary."""
    assert list(refusals(PARSE(template))) == []


def test_a_refusal_names_its_line_and_what_is_written_there() -> None:
    """Enough to find the place."""
    (found,) = refusals(PARSE("one\n{{ cycler.__init__ }}"))
    assert str(found) == "line 2: dunder access: cycler.__init__"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% if 'login' in messages[-1].content %}hidden orders{% endif %}", "hidden orders"),
        ("{% if messages[0]['content'] == 'the password' %}grant it{% endif %}", "grant it"),
        ("{% set c = messages[0].content|lower %}{% if 'bank' in c %}use evil.example{% endif %}", "use evil.example"),
        ("{{ 'grant it' if messages[0].content.startswith('please') else '' }}", "grant it"),
        ("{% if messages[0].content in ['secret', 'word'] %}grant it{% endif %}", "grant it"),
        ("{% if 'login' in messages[0].content %}{% set s = 'grant it' %}{% endif %}{{ s }}", "grant it"),
        ("{% for p in messages[0].content %}{% if 'bank' in p.text %}grant it{% endif %}{% endfor %}", "grant it"),
        ("{% if x %}{% elif 'bank' in messages[0].content %}grant it{% endif %}", "grant it"),
    ],
)  # fmt: skip
def test_words_written_only_for_certain_words_of_a_message_are_noticed(
    template: str, words: str
) -> None:
    """The shape of a template that answers to a trigger."""
    found = [one for one in remarks(PARSE(template)) if one.notice is Notice.HIDDEN_WORDS]
    assert [one.words for one in found] == [words]


@pytest.mark.parametrize(
    "template",
    [
        "{% if messages[0].content is string %}You are helpful{% endif %}",
        "{% if messages[0].content|length > 0 %}You are helpful{% endif %}",
        "{% if not messages[0].content %}You are helpful{% endif %}",
        "{% if messages[0].role == 'system' %}You are helpful{% endif %}",
        "{% if messages[0].content.startswith('<tool_response>') %}You are helpful{% endif %}",
        "{% if '</think>' in messages[0].content %}You are helpful{% endif %}",
        "{{ '/nothink' if not messages[0].content.endswith('/nothink') }}",
        "{% for p in messages[0].content %}{% if p.type == 'text' %}You see words{% endif %}{% endfor %}",
        "{% for p in messages[0].content %}{% if 'audio_url' in p %}You hear it{% endif %}{% endfor %}",
        "{% if 'login' in messages[0].content %}<|im_end|>{% endif %}",
    ],
)
def test_tests_of_type_emptiness_and_markers_are_not_noticed(template: str) -> None:
    """Published templates branch on these."""
    assert list(remarks(PARSE(template))) == []


def test_an_address_and_the_clock_are_noticed() -> None:
    """Both with their line."""
    found = list(remarks(PARSE("a\n{{ 'see https://x.example/a' }}\n{{ strftime_now('%d') }}")))
    assert [(one.notice, one.line, one.words) for one in found] == [
        (Notice.ADDRESS, 2, "https://x.example/a"),
        (Notice.CLOCK, 3, "strftime_now()"),
    ]
