"""What a template does in plain conversations it has to do in all; a template that does is silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.report.model import Finding
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked, Family
from tokaudit_templates.rewritings import REWRITINGS

CONTENT = (
    "{%- macro words(content) -%}{%- if content is string -%}{{ content }}"
    "{%- else -%}{%- for p in content or [] -%}{{ p.text if p.text is defined else '<|image|>' }}"
    "{%- endfor -%}{%- endif -%}{%- endmacro -%}"
)
TOOLS = (
    "{%- if tools -%}{{ '<|im_start|>system\n<tools>[' }}{%- for t in tools -%}"
    "{{ t|tojson }}{{ ', ' if not loop.last }}{%- endfor -%}{{ ']</tools><|im_end|>\n' }}{%- endif -%}"
)
QUESTION = "{{ '<|im_start|>' + m.role + '\n' + words(m.content) + '<|im_end|>\n' }}"
THOUGHT = "{%- if m.reasoning_content -%}<think>{{ m.reasoning_content }}</think>{%- endif -%}"
ARGUMENTS = "{%- set a = c.function.arguments -%}{{ a if a is string else a|tojson }}"
CALLS = (
    "{%- if m.tool_calls -%}<tool_call>[{%- for c in m.tool_calls -%}"
    "{{ '{\"name\": ' + c.function.name|tojson + ', \"arguments\": ' }}" + ARGUMENTS
    + "{{ '}' + (', ' if not loop.last else '') }}{%- endfor -%}]</tool_call>{%- endif -%}"
)  # fmt: skip
ANSWER = (
    "{{ '<|im_start|>assistant\n' }}" + THOUGHT + "{{ words(m.content) }}" + CALLS
    + "{{ '<|im_end|>\n' }}"
)  # fmt: skip
SAID = "(m.content|tojson if m.content is mapping else words(m.content))"
RESULT = (
    "{%- if not loop.previtem or loop.previtem.role != 'tool' -%}{{ '<|im_start|>tool' }}{%- endif -%}"
    "{{ '\n<tool_response>' + " + SAID + " + '</tool_response>' }}"
    "{%- if not loop.nextitem or loop.nextitem.role != 'tool' -%}{{ '<|im_end|>\n' }}{%- endif -%}"
)  # fmt: skip
PROMPT = "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%}"
SOUND = (
    CONTENT + TOOLS + "{%- for m in messages -%}{%- if m.role == 'assistant' -%}" + ANSWER
    + "{%- elif m.role == 'tool' -%}" + RESULT + "{%- else -%}" + QUESTION
    + "{%- endif -%}{%- endfor -%}" + PROMPT
)  # fmt: skip
TOKENS = (
    *("<pad>", "<|im_start|>", "<|im_end|>", "<|image|>", "<tools>", "</tools>", "<think>"),
    *("</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"),
)
FAULTS = {
    "no prompt after a result of a call with words": (
        "if add_generation_prompt",
        "if add_generation_prompt and not (messages[-1].role == 'tool' and messages[-2].content)",
        "ends",
        ("warning opened", "does not open the next turn for the generation prompt"),
    ),
    "a result that only the next message ends": (
        "not loop.nextitem or loop.nextitem.role != 'tool'",
        "loop.nextitem and loop.nextitem.role != 'tool'",
        "ends",
        ("error closed", "without ending the turn of a tool result"),
    ),
    "neighbours that a slice shifts": (
        "not loop.previtem or loop.previtem.role != 'tool'",
        "messages[loop.index0 - 2].role == 'user'",
        "ends",
        ("warning opened", "does not open the next turn for a tool result"),
    ),
    "a question after a result without a header": (
        QUESTION,
        "{{ ('' if loop.previtem and loop.previtem.role == 'tool' else '<|im_start|>' + m.role + '\n')"
        " + words(m.content) + '<|im_end|>\n' }}",
        "ends",
        ("warning opened", "does not open the next turn for the user"),
    ),
    "two answers under one header": (
        "{{ '<|im_start|>assistant\n' }}" + THOUGHT,
        "{{ '<|im_start|>assistant\n' if not loop.previtem or loop.previtem.role != m.role }}" + THOUGHT,
        "ends",
        ("warning opened", "does not open the next turn for the assistant"),
    ),
    "an empty thought without being asked": (
        PROMPT,
        PROMPT + "{%- if enable_thinking is defined and not enable_thinking -%}<think></think>{%- endif -%}",
        "ends",
        ("warning nothing after the last", "a turn of the assistant"),
    ),
    "a thought that only words close": (
        "{{ m.reasoning_content }}</think>",
        "{{ m.reasoning_content }}{{ '</think>' if words(m.content) }}",
        "ends",
        ("warning paired", "opens <think> more or fewer times than it closes <think>"),
    ),
    "arguments that count as false": (
        ARGUMENTS,
        "{%- set a = c.function.arguments -%}{%- if a is string -%}{{ a }}{%- else -%}"
        "{%- set s = namespace(s='') -%}{{ '{' }}{%- for k, v in a|items -%}{%- if v -%}"
        "{{ s.s + k|tojson + ': ' + v|tojson }}{%- set s.s = ', ' -%}{%- endif -%}{%- endfor -%}{{ '}' }}"
        "{%- endif -%}",
        "shapes",
        ("warning other values", "arguments: literals"),
    ),
    "quotes taken out of arguments": (
        ARGUMENTS,
        ARGUMENTS.replace("a|tojson }}", "a|tojson|replace('\\\\\"', '') }}"),
        "shapes",
        ("warning other values", "arguments: marks"),
    ),
    "no comma between calls": (
        "{{ '}' + (', ' if not loop.last else '') }}",
        "{{ '}' }}",
        "shapes",
        ("warning other values", "a list (tested as 'calls: cc rr"),
    ),
    "no comma between tools": (
        "{{ ', ' if not loop.last }}",
        "",
        "shapes",
        ("warning other values", "a list (tested as 'amount: many tools', 'tools: two tools')"),
    ),
    "the first call's name for all": (
        "c.function.name|tojson",
        "m.tool_calls[0].function.name|tojson",
        "shapes",
        ("warning other values", "the name of a call (tested as 'amount: many calls')"),
    ),
    "a part of the schema": (
        "{{ t|tojson }}",
        "{%- set f = t.function -%}{{ {'name': f.name, 'description': f.description|default(''), "
        "'parameters': {'type': 'object', 'properties': f.parameters.properties|default({}), "
        "'required': f.parameters.required|default([])}}|tojson }}",
        "shapes",
        ("warning other values", "a tool offered (tested as 'tools: reference"),
    ),
    "tools by their names and descriptions": (
        "{{ t|tojson }}",
        "{{ t.function.name }}: {{ t.function.description or '' }}"
        "{%- for k, v in ((t.function.parameters or {}).properties or {})|items -%}"
        " {{ k }} {{ v.type }} {{ v.description or '' }}{%- endfor -%}",
        "shapes",
        ("info left out of a form", "a tool offered (tested as 'tools: enum, nested')"),
    ),
    "long results cut": (
        SAID,
        f"{SAID}[:2000]",
        "shapes",
        ("warning left out of a form", "tool: text (tested as 'amount: long texts', 'result: pasted')"),
    ),
    "lines of results joined": (
        SAID,
        f"({SAID}|replace('\n', ' '))",
        "shapes",
        ("warning other characters", "tool: text (tested as 'result: pasted')"),
    ),
    "words before the end of a thought": (
        "words(m.content) + '<|im_end|>\n' }}{%- endif",
        "words(m.content).split('</think>')[-1] + '<|im_end|>\n' }}{%- endif",
        "shapes",
        ("warning left out of a form", "user: text (tested as 'question: pasted')"),
    ),
    "a result by the name of the first call": (
        "'\n<tool_response>' + ",
        "'\n<tool_response>' + (messages|selectattr('tool_calls')|first).tool_calls[0].function.name + ': ' + ",
        "shapes",
        ("warning name of another tool", "under the name of another tool: tool: text (tested as '"),
    ),
}  # fmt: skip


def asked(folder: Path, template: str) -> Asked:
    family = Family(template, TOKENS, "<|im_end|>")
    return Asked(chat_folders.write(folder, family))


def said(found: list[Finding]) -> dict[str, str]:
    return {f"{each.severity} {each.cause}": each.message for each in found}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_conversation_that_breaks_a_habit_is_found(fault: str, tmp_path: Path) -> None:
    old, new, check, (cause, words) = FAULTS[fault]
    assert old in SOUND
    found = said(asked(tmp_path, SOUND.replace(old, new)).findings(check))
    assert words in found.get(cause, ""), found


@pytest.mark.parametrize("name", ["as it is", *REWRITINGS])
def test_a_template_that_keeps_its_habits_gets_no_finding(name: str, tmp_path: Path) -> None:
    written = REWRITINGS[name](SOUND) if name in REWRITINGS else SOUND
    one = asked(tmp_path, written)
    assert said([*one.findings("ends"), *one.findings("shapes")]) == {}
