"""Defects of chat templates, and of how generation takes them."""

from __future__ import annotations

from pathlib import Path

from tokaudit_defects.fixtures import cl100k, small
from tokaudit_defects.recipe import recipe, sickness
from tokaudit_folders import sick

SAFE, PROMPT = "chat_template/safe", "chat_template/generation-prompt"

sickness("D68", small, sick.tidy_up_after_decoding, "round_trip/clean-up")
sickness(
    "D71", small, sick.let_the_next_turn_write_the_end, "chat_template/stops", severity="error"
)
sickness("D74", small, sick.forget_the_generation_prompt, PROMPT, severity="error")
sickness("D74", small, sick.always_write_the_generation_prompt, PROMPT, severity="error")
sickness("D77", small, sick.leave_a_stale_template_behind, "chat_template/copies")
sickness("D80", small, sick.shorten_earlier_answers, "chat_template/prefix")
sickness("D82", small, sick.walk_out_of_the_sandbox, SAFE, severity="error")
sickness("D83", small, sick.hide_words_after_a_trigger, SAFE, severity="error")
sickness("D122", small, sick.lose_the_template, "chat_template/missing")

RAISING = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
ESCAPED = "{% if tools %}{{ tools | tojson(ensure_ascii=true) }}{% endif %}"
NAMED = "{% if tools %}{{ tools | tojson }}{% endif %}"
LINES = "{% for m in messages %}\n    {% if m.content %}\n<|{{ m.role }}|>{{ m.content }}<|end|>\n"
LINES += "    {% endif %}\n{% endfor %}\n{% if add_generation_prompt %}<|assistant|>{% endif %}"


@recipe("D48", small, "chat_template/injection", severity="warning")
def markers_in_a_message_are_tokens(folder: Path) -> None:
    """Nothing is broken: the template joins the user's words with its own markers."""


@recipe("D72", small, "chat_template/mask", severity="info")
def no_generation_tags(folder: Path) -> None:
    """Nothing is broken: the healthy template has none."""


@recipe("D75", small, "chat_template/portable", severity="info")
def lines_without_dashes(folder: Path) -> None:
    sick.template(folder, LINES)


@recipe("D78", small, "chat_template/portable", severity="warning")
def tools_as_escapes(folder: Path) -> None:
    sick.template(folder, ESCAPED + sick.TEMPLATE)


@recipe("D78", small, "chat_template/portable", severity="info")
def tools_as_json(folder: Path) -> None:
    """Only an engine with Jinja's own filter escapes these; half of all templates have them."""
    sick.template(folder, NAMED + sick.TEMPLATE)


@recipe("D81", small, "chat_template/renders", severity="info")
def raises_on_a_system_message(folder: Path) -> None:
    sick.template(folder, RAISING + sick.TEMPLATE)


@recipe("D71", cl100k, "chat_template/stops", severity="error")
def turn_without_an_end(folder: Path) -> None:
    sick.template(folder, sick.TEMPLATE.replace("{{ m.content }}<|end|>", "{{ m.content }}"))
