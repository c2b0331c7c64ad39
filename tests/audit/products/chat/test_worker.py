"""Rendering in a worker: what comes back, and templates that do not let go."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from processes import starts_processes

from tokaudit.engine.workers import Workers
from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderRequest, Trouble
from tokaudit.products.chat.work.chat_client import ChatRenderer, renderer_of
from tokaudit.subject.conversations.conversation import Conversation, role_matrix

HELLO = (Conversation("hello", ({"role": "user", "content": "Hi"},)),)
MEMORY = 512 * 1024**2
SECONDS = 3.0
ENDLESS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
TWENTY = {
    "endless loop": (ENDLESS, Trouble.LIMIT),
    "endless recursion": ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", Trouble.LIMIT),
    "mutual recursion": ("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}", Trouble.LIMIT),
    "recursive loop": ("{% for m in [[[]]] recursive %}{{ loop([m]) }}{% endfor %}", Trouble.UNSAFE),
    "doubling": ("{% set n = namespace(s='ab') %}{% for i in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}", Trouble.LIMIT),
    "doubling lists": ("{% set n = namespace(s=[1]) %}{% for i in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}", Trouble.LIMIT),
    "doubling by join": ("{% set n = namespace(s='ab') %}{% for i in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}", Trouble.LIMIT),
    "growing by replace": ("{% set n = namespace(s='aa') %}{% for i in range(99) %}{% set n.s = n.s.replace('a', 'aaa') %}{% endfor %}", Trouble.LIMIT),
    "wide centre": ("{{ 'a'|center(10**11) }}", Trouble.LIMIT),
    "wide format": ("{{ '%99999999999d'|format(1) }}", Trouble.LIMIT),
    "wide operator": ("{{ '%99999999999d' % 1 }}", Trouble.LIMIT),
    "wide method": ("{{ '{:99999999999}'.format(1) }}", Trouble.LIMIT),
    "wide indent": ("{{ 'a\nb'|indent(10**11) }}", Trouble.LIMIT),
    "power": ("{{ 7**(7**(7**7)) }}", Trouble.LIMIT),
    "repeated product": ("{% set n = namespace(x=2) %}{% for i in range(99) %}{% set n.x = n.x * n.x %}{% endfor %}", Trouble.LIMIT),
    "many words": ("{{ lipsum(n=10000, html=false, min=9000, max=9999) }}", Trouble.LIMIT),
    "long text": ("{% for a in range(99999) %}{% for b in range(999) %}0123456789{% endfor %}{% endfor %}", Trouble.LIMIT),
    "deep brackets": ("{{ " + "[" * 9000 + "]" * 9000 + " }}", Trouble.LIMIT),
    "deep blocks": ("{% if 1 %}" * 9000, Trouble.LIMIT),
    "deep data": ("{% set n = namespace(x=[]) %}{% for i in range(99999) %}{% set n.x = [n.x] %}{% endfor %}{{ n.x|tojson }}", Trouble.LIMIT),
    "attribute walk": ("{{ ''.__class__.__mro__[1].__subclasses__() }}", Trouble.UNSAFE),
    "attribute by filter": ("{{ ''|attr('__cla' ~ 'ss__') }}", Trouble.UNSAFE),
    "attribute by map": ("{{ ['']|map(attribute='__class__')|list }}", Trouble.UNSAFE),
    "attribute in a name": ("{% set k = '__class__' %}{{ ''[k] }}", Trouble.UNSAFE),
    "format string in a name": ("{% set f = '{0.__class__}' %}{{ f.format(1) }}", Trouble.UNSAFE),
    "globals of a macro": ("{% macro m() %}{% endmacro %}{{ m.__globals__ }}", Trouble.UNSAFE),
    "globals of a function": ("{{ lipsum.__globals__['os'].popen('id').read() }}", Trouble.UNSAFE),
    "attribute in pieces": ("{% set k = '__cla' %}{% set l = 'ss__' %}{{ ''[k ~ l]['__mro__'] }}", Trouble.UNSAFE),
    "the template itself": ("{{ self._TemplateReference__context.vars }}", Trouble.FAILED),
    "import": ("{% import 'os' as os %}", Trouble.UNSAFE),
    "mutation": ("{{ messages.append(1) }}", Trouble.FAILED),
}  # fmt: skip


@pytest.fixture(scope="module")
@starts_processes
def renderer() -> Iterator[ChatRenderer]:
    """One renderer for all: what a template does to the worker must not reach the next."""
    with ChatRenderer(timeout=SECONDS, memory=MEMORY) as found:
        yield found


def test_the_worker_answers_what_the_renderer_gives(renderer: ChatRenderer) -> None:
    """Every field survives the way: spans, remarks and reactions among them."""
    template = (
        "{% for m in messages %}{{ m.content }}{% generation %}x{% endgeneration %}{% endfor %}"
        "{% if messages[0].content == 'the word' %}grant it{% endif %}{{ strftime_now('%Y') }}"
    )
    request = RenderRequest(template, role_matrix(), {"bos_token": "<s>"})
    assert renderer.render(request) == render(request)


@pytest.mark.parametrize("name", sorted(TWENTY))
def test_a_hostile_template_ends_within_its_limits(name: str, renderer: ChatRenderer) -> None:
    """Refused, stopped or refused by the sandbox; and the next template is rendered as ever."""
    template, trouble = TWENTY[name]
    found = renderer.render(RenderRequest(template, HELLO))
    if found.trouble is None:
        assert found.conversations[0].whole.plain.trouble is trouble
    else:
        assert found.trouble is trouble
    healthy = renderer.render(RenderRequest("{{ messages[0].content }}", HELLO))
    assert healthy.conversations[0].whole.plain.text == "Hi"


def test_memory_that_templates_took_is_free_for_the_next(renderer: ChatRenderer) -> None:
    """What they leave behind is a handful of objects, which Python alone would not look for."""
    doubling = (
        "{% set n = namespace(s=[1]) %}{% for i in range(TIMES) %}{% set n.s = n.s + n.s %}"
        "{% endfor %}{{ n.s|length }}"
    )
    for _ in range(4):
        renderer.render(RenderRequest(doubling.replace("TIMES", "99"), HELLO))
    found = renderer.render(RenderRequest(doubling.replace("TIMES", "23"), HELLO))
    assert found.conversations[0].whole.plain.text == "8388608"


def test_every_hostile_template_of_the_material_is_stopped(
    material: Path, renderer: ChatRenderer
) -> None:
    """Each file has its line here, so that a new one is noticed."""
    ends = {}
    for path in sorted(material.glob("hostile*/j_*.jinja")):
        found = renderer.render(RenderRequest(path.read_text(), HELLO))
        ends[path.name] = found.trouble or found.conversations[0].whole.plain.trouble
    assert ends == {
        "j_x_deep_if.jinja": Trouble.LIMIT,
        "j_x_fmt_width.jinja": Trouble.LIMIT,
        "j_x_pow.jinja": None,  # powers bind to the left here, so this is a number of 78 digits
        "j_x_ssti_attr_filter.jinja": Trouble.UNSAFE,
        "j_x_ssti_sandboxed.jinja": Trouble.UNSAFE,
        "j_x_strmul.jinja": Trouble.LIMIT,
    }


@pytest.mark.usefixtures("processes")
def test_the_renderers_of_an_audit_have_two_processes_in_common() -> None:
    """A third would take as long to start as one of them needs for its work."""
    workers = Workers()
    try:
        with ThreadPoolExecutor(6) as threads:
            asked = [RenderRequest(f"{n}" + "{{ messages[0].content }}", HELLO) for n in range(12)]
            found = threads.map(lambda each: renderer_of(workers).render(each), asked)
            texts = [each.conversations[0].whole.plain.text for each in found]
        assert texts == [f"{n}Hi" for n in range(12)]
        assert len(workers.idle_for_jobs) <= 2
    finally:
        workers.close()
