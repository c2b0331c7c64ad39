"""What clients send that polite conversations have not: found with its cause, and twins are silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.products.chat.work.shapes import apart
from tokaudit.products.chat.work.shapes.causes import simplest
from tokaudit.report.model import Finding
from tokaudit.subject.upstream.published.templates import PublishedTemplate
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked, Family
from tokaudit_templates.rewritings import REWRITINGS

MARKERS = ("<pad>", "<|user|>", "<|assistant|>", "<|tool|>", "<|system|>", "<|end|>")
OFFER = (
    "{%- for t in tools or [] -%}{%- set f = t.function -%}<tool>{{ f.name }}"
    "{{ ': ' + f.description if f.description else '' }} {{ f.parameters|default({})|tojson }}</tool>"
    "{%- endfor -%}"
)
ARGUMENTS = (
    "{{ c.function.arguments if c.function.arguments is string else c.function.arguments|tojson }}"
)
CALLS = (
    "{%- for c in message.tool_calls or [] -%}<call>{{ c.function.name }}: " + ARGUMENTS + "</call>"
    "{%- endfor -%}"
)
CONTENT = (
    "{%- if message.content is string -%}{{ message.content }}"
    "{%- elif message.content is mapping -%}{{ message.content|tojson }}{%- else -%}"
    "{%- for p in message.content or [] -%}{{ p.text if p.type == 'text' else '<image>' }}"
    "{%- endfor -%}{%- endif -%}"
)
THOUGHT = "{%- if message.reasoning_content -%}<think>{{ message.reasoning_content }}</think>{%- endif -%}"
TURN = "<|{{ message.role }}|>" + THOUGHT + CONTENT + CALLS + "<|end|>"
PROMPT = "{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}"
SOUND = OFFER + "{%- for message in messages -%}" + TURN + "{%- endfor -%}" + PROMPT
EACH_CALL = "{%- for c in message.tool_calls or [] -%}BEFORE{{ c.function.name }}OPEN"
NAMES_AND_VALUES = "{%- for k, v in c.function.arguments|items -%}"
STRINGS = "{%- if c.function.arguments is string -%}{{ c.function.arguments }}{%- else -%}"
PAIRS_OF_CALL = EACH_CALL + STRINGS + NAMES_AND_VALUES


def _calls(before: str, opened: str, pair: str, after: str) -> str:
    """Calls with a text before their name, after it, for each argument, and at their end."""
    start = PAIRS_OF_CALL.replace("BEFORE", before).replace("OPEN", opened)
    return f"{start}{pair}{{%- endfor -%}}{{%- endif -%}}{after}{{%- endfor -%}}"


VALUE = "{{ v if v is string else TEXT }}"
CODER = _calls(
    "<function=",
    ">\n",
    "{{ '<parameter=' + k + '>\n' }}" + VALUE + "{{ '\n</parameter>\n' }}",
    "</function>",
)
GLM = _calls(
    "<tool_call>",
    "\n",
    "<arg_key>{{ k }}</arg_key><arg_value>" + VALUE + "</arg_value>",
    "</tool_call>",
)
MINIMAX = _calls(
    '<minimax:tool_call><invoke name="',
    '">',
    '<parameter name="{{ k }}">' + VALUE + "</parameter>",
    "</invoke></minimax:tool_call>",
)
GEMMA = _calls(
    "<|tool_call>call:",
    "{{ '{' }}",
    "{{ k }}:{{ '<|\"|>' + v + '<|\"|>' if v is string else TEXT }}{{ ',' if not loop.last }}",
    "{{ '}' }}<tool_call|>",
)
PYTHON = _calls(
    "[",
    "(",
    '{{ k }}={{ "\'" + v|replace("\'", "\\\\\'") + "\'" if v is string else v }}{{ \', \' if not loop.last }}',
    ")]",
)
READ_BACK = {"tags": CODER, "pairs": GLM, "an invocation": MINIMAX, "keys": GEMMA, "Python": PYTHON}
FAULTS = {
    "T01": ("': ' + f.description if f.description else ''", "': ' + f.description", "renders"),
    "T01 of null": ("': ' + f.description if f.description else ''", "': ' + (f.description if f.description is defined else '')", "renders"),
    "T02": ("<|{{ message.role }}|>", "<|{{ message.role }}|>{{ message.name + ':' if message.role == 'tool' else '' }}", "renders"),
    "T03": (CONTENT, "{%- if message.content is string -%}{{ message.content }}{%- endif -%}", "shapes"),
    "T04": (ARGUMENTS, "{% for k, v in c.function.arguments|items %}{{ k }}={{ v|string }};{% endfor %}", "shapes"),
    "T04 by tags whose parser reads None as a text": (CALLS, CODER.replace("TEXT", "v|string"), "shapes"),
    "T04 by keys whose parser reads True as a text": (CALLS, GEMMA.replace("TEXT", "v|string"), "shapes"),
    "T04 in a list that is no JSON": (CALLS, MINIMAX.replace("TEXT", "v|string"), "shapes"),
    "T04 by pairs whose parser reads literals of Python": (CALLS, GLM.replace("TEXT", "v|string"), "shapes"),
    "a text in quotes that the parser keeps": (CALLS, CODER.replace("v if v is string else TEXT", "v|tojson"), "shapes"),
    "a quote that ends a text of Python too early": (CALLS, PYTHON.replace("v|replace(\"'\", \"\\\\'\")", "v"), "shapes"),
    "T05": (ARGUMENTS, "{{ c.function.name + c.function.arguments }}", "renders"),
    "P44": (CONTENT, "{{ message.content }}", "shapes"),
    "a window of twenty messages": ("{%- for message in messages -%}", "{%- for message in messages[-20:] -%}", "shapes"),
    "texts cut at 4,000 characters": ("{{ message.content }}", "{{ message.content[:4000] }}", "shapes"),
    "long lines wrapped": ("{{ message.content }}", "{{ message.content|wordwrap(79) }}", "shapes"),
    "the first eight tools": ("for t in tools or []", "for t in (tools or [])[:8]", "shapes"),
    "the first eight parameters": ("{{ f.parameters|default({})|tojson }}", "{% for k, v in (f.parameters|default({})).get('properties', {})|dictsort %}{% if loop.index <= 8 %}{{ k }}={{ v|tojson }};{% endif %}{% endfor %}", "shapes"),
    "the first two calls": ("for c in message.tool_calls or []", "for c in (message.tool_calls or [])[:2]", "shapes"),
    "names cut at a dot": ("<tool>{{ f.name }}", "<tool>{{ f.name.split('.')[0] }}", "shapes"),
    "names of calls in small letters": ("<call>{{ c.function.name }}", "<call>{{ c.function.name|lower }}", "shapes"),
    "an answer whose list of calls is empty": (CALLS, "{%- if message.tool_calls is defined and message.tool_calls is not none -%}<call>{{ message.tool_calls[0].function.name }}{%- endif -%}" + CALLS, "renders"),
    "two letters too many cut": ("{{ message.content }}", "{{ '<think>' + message.content[9:] if message.content.startswith('<think>') else message.content }}", "shapes"),
    "a question after a result": ("{%- for message in messages -%}", "{%- for message in messages -%}{%- if message.role == 'user' and not loop.first and messages[loop.index0 - 1].role == 'tool' -%}{%- continue -%}{%- endif -%}", "shapes"),
    "an empty name": ("<|{{ message.role }}|>", "<|{{ message.role }}|>{% if message.role == 'tool' %}name={{ message.name }};{% endif %}", "shapes"),
    "false, 0 and nothing dropped": (CALLS, "{%- for c in message.tool_calls or [] -%}<call>{{ c.function.name }}: {% if c.function.arguments is string %}{{ c.function.arguments }}{% else %}{% for k, v in c.function.arguments|items if v or v is none %}{{ k }}={{ v if v is string else v|tojson }};{% endfor %}{% endif %}</call>{%- endfor -%}", "shapes"),
    "null dropped": (CALLS, "{%- for c in message.tool_calls or [] -%}<call>{{ c.function.name }}: {% if c.function.arguments is string %}{{ c.function.arguments }}{% else %}{% for k, v in c.function.arguments|items if v is not none %}{{ k }}={{ v if v is string else v|tojson }};{% endfor %}{% endif %}</call>{%- endfor -%}", "shapes"),
    "parameters named as keys": ("{{ f.parameters|default({})|tojson }}", "{% for k, v in f.parameters.properties|default({})|items if k not in ('type', 'description') %}{{ k }}={{ v|tojson }};{% endfor %}", "shapes"),
    "types as Python": ("{{ f.parameters|default({})|tojson }}", "{% for k, v in f.parameters.properties|default({})|items %}{{ k }}={{ v.type|default('any')|upper }} {{ v|tojson }};{% endfor %}", "shapes"),
    "a system message refused as roles out of order": ("{%- for message in messages -%}", "{%- set rest = messages[1:] if messages[0].role == 'system' else messages -%}{%- for message in messages -%}{%- if message.role == 'user' and loop.index0 % 2 and not tools -%}{{ raise_exception('roles must alternate') }}{%- endif -%}", "renders"),
    "thinking drops the system's words": ("{%- for message in messages -%}", "{%- for message in messages if not (enable_thinking and message.role == 'system') -%}", "shapes"),
}  # fmt: skip
SAID = {
    "T01": (
        "warning fails on a shape",
        "in line 1 (tested as 'tools: without description'); TypeError",
    ),
    "T01 of null": (
        "warning fails on a shape",
        "to str in line 1 (tested as 'tools: null description')",
    ),
    "T02": ("warning fails on a shape", "result name: absent"),
    "T03": (
        "warning left out of a form",
        "user text in a list of parts (tested as 'question: parts, two parts, picture')",
    ),
    "T04": ("info values as Python", "=True"),
    "T04 by tags whose parser reads None as a text": (
        "warning misread values",
        "null by SGLang's qwen3_coder, null by vLLM's seed_oss",
    ),
    "T04 by keys whose parser reads True as a text": (
        "warning misread values",
        "true by vLLM's gemma4",
    ),
    "T04 in a list that is no JSON": ("warning misread values", "a list by SGLang's minimax-m2"),
    "T04 by pairs whose parser reads literals of Python": ("info values as Python", "True"),
    "a text in quotes that the parser keeps": (
        "warning misread values",
        "a text by vLLM's qwen3_coder",
    ),
    "a quote that ends a text of Python too early": (
        "warning misread values",
        "a text by vLLM's pythonic",
    ),
    "T05": ("error fails on a plain chat", "arguments form: mapping"),
    "P44": ("warning None", "by transformers 4.57 and engines like it"),
    "a window of twenty messages": ("warning left out of a form", "amount: many turns"),
    "texts cut at 4,000 characters": ("warning left out of a form", "amount: long texts"),
    "long lines wrapped": ("warning other characters", "amount: long texts"),
    "the first eight tools": (
        "warning left out of a form",
        "the name of a tool (tested as 'amount: many tools')",
    ),
    "the first eight parameters": (
        "warning left out of a form",
        "the name of a parameter (tested as 'amount: many parameters')",
    ),
    "the first two calls": (
        "warning left out of a form",
        "a call (tested as 'amount: many calls')",
    ),
    "names cut at a dot": (
        "warning left out of a form",
        "the name of a tool (tested as 'amount: names of clients')",
    ),
    "names of calls in small letters": ("warning other values", "amount: names of clients"),
    "an answer whose list of calls is empty": (
        "warning fails on a shape",
        "calls of an answer: empty list",
    ),
    "two letters too many cut": ("warning cut words", "such as"),
    "a question after a result": ("warning left out of a form", "ending: q"),
    "an empty name": ("warning no name of a result", "the message has none"),
    "false, 0 and nothing dropped": (
        "warning left out of a form",
        "an argument that is false, 0 or empty (tested as 'calls: c, arguments: literals')",
    ),
    "null dropped": ("info left out of a form", "an argument that is null"),
    "parameters named as keys": ("warning parameters named as keys", "such as `type`"),
    "types as Python": ("info types as Python", "\"['STRING', 'NULL']\""),
    "a system message refused as roles out of order": (
        "warning refuses what it reads",
        "its error for roles out of order: roles must alternate",
    ),
    "thinking drops the system's words": ("warning left out of a form", "thinking: on"),
}


def asked(folder: Path, template: str, use: str | None = None, base: str = "") -> Asked:
    one = chat_folders.write(folder / "one", Family(template, MARKERS, "<|end|>"))
    other = chat_folders.write(folder / "base", Family(base, MARKERS, "<|end|>")) if base else None
    return Asked(one, other, use)


def said(found: list[Finding]) -> list[str]:
    return [f"{each.severity} {each.cause}" for each in found]


@pytest.mark.parametrize("id", FAULTS)
def test_a_fault_that_only_rude_conversations_show_is_found(id: str, tmp_path: Path) -> None:
    old, new, check = FAULTS[id]
    assert old in SOUND
    found = asked(tmp_path, SOUND.replace(old, new)).findings(check)
    severity, words = SAID[id]
    assert severity in said(found)
    (message,) = {each.message for each in found if f"{each.severity} {each.cause}" == severity}
    assert words in message


@pytest.mark.parametrize(("use", "severity"), [(None, "info"), ("serving", "warning")])
def test_ids_of_calls_that_a_template_refuses_are_named_and_loud_for_servers(
    use: str | None, severity: str, tmp_path: Path
) -> None:
    """A refusal is the template's right; OpenAI's clients send ids of more characters than nine."""
    nine = (
        "{{ raise_exception('ids have nine characters') if c.id is defined and c.id|length != 9 }}"
    )
    template = SOUND.replace(
        "<call>{{ c.function.name }}", f"<call>{nine}{{{{ c.function.name }}}}"
    )
    (found,) = asked(tmp_path, template, use).findings("renders")
    assert said([found]) == [f"{severity} refuses an amount"]
    assert "refuses long ids, which clients send: ids have nine characters." in found.message


@pytest.mark.parametrize("name", ["as it is", *REWRITINGS])
def test_a_template_for_all_that_clients_send_gets_no_finding(name: str, tmp_path: Path) -> None:
    """Nor do its neutral rewritings."""
    template = REWRITINGS[name](SOUND) if name in REWRITINGS else SOUND
    one = asked(tmp_path, template)
    assert said([*one.findings("renders"), *one.findings("shapes")]) == []


@pytest.mark.parametrize("use", ["sft", "rollouts"])
def test_lists_that_are_lost_are_an_error_where_transformers_is_given_them(
    use: str, tmp_path: Path
) -> None:
    """Servers join the parts first, which the message says."""
    old, new, _ = FAULTS["T03"]
    (found,) = asked(tmp_path, SOUND.replace(old, new), use).findings("shapes")
    assert said([found]) == ["error left out of a form"]
    assert found.message.endswith("never send the template a list of parts.")


@pytest.mark.parametrize("name", READ_BACK)
def test_calls_that_their_parser_reads_back_get_no_finding(name: str, tmp_path: Path) -> None:
    """T04: each value is written as the parser of these calls reads it."""
    template = SOUND.replace(CALLS, READ_BACK[name].replace("TEXT", "v|tojson"))
    loud = [
        each for each in asked(tmp_path, template).findings("shapes") if each.severity != "info"
    ]
    assert said(loud) == []


def test_values_that_a_parser_misreads_are_information_on_a_release_of_the_maker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T04: the model was trained on them; a comment more makes it another template."""
    template = SOUND.replace(CALLS, CODER.replace("TEXT", "v|string"))
    released = PublishedTemplate("acorn 1.0: acorn.jinja", "acorn/Acorn-1B", "0123abc")
    monkeypatch.setattr(apart, "published_template", {template: released}.get, raising=True)
    (found,) = asked(tmp_path, template).findings("shapes")
    assert said([found]) == ["info misread values"]
    assert "acorn/Acorn-1B at 0123abc (acorn 1.0: acorn.jinja) writes them so" in found.message
    changed = asked(tmp_path / "changed", template + "{#- mine -#}").findings("shapes")
    assert said(changed) == ["warning misread values"]


def test_values_that_a_parser_misreads_are_information_where_the_base_has_them(
    tmp_path: Path,
) -> None:
    """T04: and a warning where the base writes others."""
    one, other = (
        SOUND.replace(CALLS, CODER.replace("TEXT", each)) for each in ("v|string", "v|tojson")
    )
    same = asked(tmp_path / "same", one, base="{#- the same -#}" + one).findings("shapes")
    assert said(same) == ["info misread values"]
    unlike = asked(tmp_path / "apart", one, base=other).findings("shapes")
    assert said(unlike) == ["warning misread values"]


PAIRS = "{% for k, v in c.function.arguments|items %}{{ k }}={{ VALUE }};{% endfor %}"


def test_forms_that_the_base_renders_otherwise_are_a_warning_by_part_and_values(
    tmp_path: Path,
) -> None:
    """T04: polite conversations have neither True nor None, so both render them alike."""
    one, base = (
        SOUND.replace(ARGUMENTS, PAIRS.replace("VALUE", each))
        for each in ("v|string", "v if v is string else v|tojson")
    )
    (found,) = asked(tmp_path, one, base=base).findings("baseline")
    assert said([found]) == ["warning differs in a form"]
    by_part = "17 (arguments: literals), 13 (arguments: nested)"
    assert found.message.endswith(f"tokenizer_config.json, by part: a call: {by_part}.")
    text, facts = found.evidence
    assert "=True;" in (text.text or "")
    assert facts.facts == {"a call": by_part}
    same = asked(tmp_path / "same", one, base="{#- the same -#}" + one).findings("baseline")
    assert said(same) == []


def test_texts_that_all_differ_are_counted_by_part(tmp_path: Path) -> None:
    one = SOUND.replace("<|{{ message.role }}|>", "<|{{ message.role }}|>{{ ' ' }}")
    (found,) = asked(tmp_path, one, base=SOUND).findings("baseline")
    assert said([found]) == ["error differs"]
    _, by_part = found.evidence
    assert "(of all kinds)" in by_part.facts["user: text"]


def test_what_a_template_refuses_in_its_own_words_is_no_failure(tmp_path: Path) -> None:
    old, _, _ = FAULTS["T01"]
    refusing = "': ' + (f.description or raise_exception('describe it'))"
    assert said(asked(tmp_path, SOUND.replace(old, refusing)).findings("renders")) == []


def test_a_failure_is_shown_by_the_fewest_messages(tmp_path: Path) -> None:
    old, new, check = FAULTS["T01"]
    (found,) = asked(tmp_path, SOUND.replace(old, new)).findings(check)
    facts = found.evidence[1].facts or {}
    assert list(facts) == ["message 1", "tools"]
    assert '"description"' not in str(facts["tools"]).replace('"description": "', "")


def test_a_failure_names_the_line_of_the_template(tmp_path: Path) -> None:
    old, new, check = FAULTS["T05"]
    (found,) = asked(tmp_path, "\n\n" + SOUND.replace(old, new)).findings(check)
    assert "in line 3 (" in found.message


def test_the_simplest_conversation_has_no_more_than_a_value_needs() -> None:
    one = simplest({"result name": "absent"})
    assert one is not None
    assert one.given.roles == ("user", "assistant", "tool")
    assert one.id == "calls: c r; tools: described; result name: absent"
