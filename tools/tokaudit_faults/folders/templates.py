"""Defects of chat templates, and of how generation takes them."""

from __future__ import annotations

from pathlib import Path

from tokaudit_faults.healthy.folders import cl100k, small
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders import sick

RAISING = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
ESCAPED = "{% if tools %}{{ tools | tojson(ensure_ascii=true) }}{% endif %}"
NAMED = "{% if tools %}{{ tools | tojson }}{% endif %}"
LINES = "{% for m in messages %}\n    {% if m.content %}\n<|{{ m.role }}|>{{ m.content }}<|end|>\n"
LINES += "    {% endif %}\n{% endfor %}\n{% if add_generation_prompt %}<|assistant|>{% endif %}"


@breaks(small, "chat_template/injection", entry="D48")
def markers_in_a_message_are_tokens(folder: Path) -> None:
    """Nothing is broken: the template joins the user's words with its own markers."""


@breaks(small, "chat_template/mask", entry="D72", severity="info")
def no_generation_tags(folder: Path) -> None:
    """Nothing is broken: the healthy template has none."""


@breaks(small, "chat_template/portable", entry="D75", severity="info")
def lines_without_dashes(folder: Path) -> None:
    sick.template(folder, LINES)


@breaks(small, "chat_template/portable", entry="D78")
def tools_as_escapes(folder: Path) -> None:
    sick.template(folder, ESCAPED + sick.TEMPLATE)


@breaks(small, "chat_template/portable", entry="D78", severity="info")
def tools_as_json(folder: Path) -> None:
    """Only an engine with Jinja's own filter escapes these; half of all templates have them."""
    sick.template(folder, NAMED + sick.TEMPLATE)


@breaks(small, "chat_template/renders", entry="D81", severity="info")
def raises_on_a_system_message(folder: Path) -> None:
    sick.template(folder, RAISING + sick.TEMPLATE)


@breaks(cl100k, "chat_template/stops", entry="D71", severity="error")
def turn_without_an_end(folder: Path) -> None:
    sick.template(folder, sick.TEMPLATE.replace("{{ m.content }}<|end|>", "{{ m.content }}"))
