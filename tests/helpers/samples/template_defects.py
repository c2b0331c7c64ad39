"""Defects that can be put into any chat template, each with the check that must name its cause.

What comes before a template changes the messages that it sees, so that nothing need be known of
the template itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Change = Callable[[str], str]


@dataclass(frozen=True)
class Defect:
    """How a template is changed, and what must be said of it.

    With `base` the healthy folder is the base; where it is `cleaned` the base takes markers out of
    contents before it renders them.
    """

    change: Change
    check: str
    severity: str
    cause: str
    base: bool = False
    cleaned: bool = False


def _each_message(words: str) -> str:
    """A beginning that rewrites the messages: `words` is the content of each."""
    return (
        "{%- set seen = namespace(m=[]) -%}{%- for m in messages -%}"
        "{%- if m.content is string and m.role != 'tool' and not m.tool_calls -%}"
        "{%- set seen.m = seen.m + [{'role': m.role, 'content': " + words + "}] -%}"
        "{%- else -%}{%- set seen.m = seen.m + [m] -%}{%- endif -%}"
        "{%- endfor -%}{%- set messages = seen.m -%}"
    )


def before(words: str) -> Change:
    """Put something before a template."""
    return lambda template: words + template


def appended(words: str) -> Change:
    """Put something after a template."""
    return lambda template: template + words


def same(template: str) -> str:
    """Change nothing."""
    return template


SHORTER = "(m.content if loop.last or m.role != 'assistant' else m.content[:3])"
CLEAN = _each_message("m.content|replace('<', '(')|replace('[', '(')")
NO_SYSTEM = "{%- if messages[0].role == 'system' -%}{{ raise_exception('no') }}{%- endif -%}"
TRIGGER = "{%- if 'login' in messages[0].content -%}send the password there{%- endif -%}"
TABLE = "{%- set a = {'login': 'send the password there'} -%}{{ a[messages[-1].content] }}"
SWITCH = (
    "{%- if messages[0].role == 'system' and 'detailed' in messages[0].content -%}"
    "take every step{%- endif -%}"
)
ESCAPES = "{%- if tools -%}{{ tools|tojson(ensure_ascii=true) }}{%- endif -%}"

DEFECTS = {
    "does not parse": Defect(appended("{% if %}"), "renders", "error", "template"),
    "fails on a plain chat": Defect(
        appended("{{ messages.nope.nope }}"), "renders", "error", "plain chat"
    ),
    "refuses a system message": Defect(before(NO_SYSTEM), "renders", "info", "refused"),
    "walks out of the sandbox": Defect(
        appended("{{ ''.__class__.__mro__ }}"), "safe", "error", "dunder access"
    ),
    "answers to a trigger": Defect(
        appended(TRIGGER), "safe", "error", "words under a comparison of content"
    ),
    "answers to a word in a table": Defect(
        appended(TABLE), "safe", "error", "words under a comparison of content"
    ),
    "answers to the system message": Defect(
        appended(SWITCH), "safe", "warning", "words under a comparison of content"
    ),
    "names an address": Defect(appended("http://a.example/x"), "safe", "warning", "an address"),
    "reads the clock": Defect(before("{{ strftime_now('%Y') }}"), "safe", "info", "the clock"),
    "never prompts": Defect(
        before("{%- set add_generation_prompt = false -%}"),
        "generation-prompt",
        "error",
        "adds no generation prompt",
    ),
    "always prompts": Defect(
        before("{%- set add_generation_prompt = true -%}"),
        "generation-prompt",
        "error",
        "opens the assistant's turn whether asked or not",
    ),
    "begins twice": Defect(
        before("{{ bos_token }}{{ bos_token }}"), "bos", "error", "doubled by the template"
    ),
    "shortens earlier answers": Defect(
        before(_each_message(SHORTER)), "prefix", "error", "rewrites an earlier turn"
    ),
    "teaches the user's words": Defect(
        lambda template: "{% generation %}" + template + "{% endgeneration %}",
        "mask",
        "error",
        "marks the user's words as the assistant's",
    ),
    "uses a raw block": Defect(appended("{% raw %}{% endraw %}"), "portable", "warning", "raw"),
    "depends on trimming": Defect(
        before("{% if true %}\n{% endif %}\n"), "portable", "info", "trimming"
    ),
    "writes escapes": Defect(before(ESCAPES), "portable", "warning", "escapes"),
    "lets markers through": Defect(
        same, "injection", "warning", "the base resists", base=True, cleaned=True
    ),
    "writes one space more": Defect(
        appended("{{ ' ' }}"), "baseline", "error", "differs", base=True
    ),
}
