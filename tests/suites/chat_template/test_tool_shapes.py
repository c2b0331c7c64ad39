"""A template that reads tools in its maker's shape is given them so."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.model import Finding
from tokaudit_folders.folder import Folder

MARKS = ("<|im_start|>", "<|im_end|>")
TURNS = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
OWN = (
    "{% if tools %}{% for t in tools %}def {{ t.name }}("
    "{% for n, p in t.parameter_definitions.items() %}{{ n }}: {{ p.type }} {{ p.description }}"
    "{% if not p.required %} = None{% endif %}, {% endfor %}): {{ t.description }}\n"
    "{% endfor %}{% endif %}"
)
OF_SCHEMA = "{% for t in tools or [] %}{{ t.input_schema | tojson }}{{ t.name }}{{ t.description }}"
UNKNOWN = OWN.replace("parameter_definitions", "argument_definitions")


def causes(path: Path, tools: str) -> set[str]:
    folder = Folder.bpe("ab", ["a b"]).added(*MARKS).template(tools + TURNS)
    path = folder.tokenizer_config(eos_token=MARKS[1]).write(path)
    found: list[Finding] = []
    for check in ("chat_template/renders", "chat_template/tools"):
        found += tokaudit.run_check(check, path, tier="quick").findings
    return {each.cause for each in found if "tool" in each.message}


@pytest.mark.parametrize(
    "tools", [OWN, OF_SCHEMA + "{% endfor %}"], ids=["definitions", "input schema"]
)
def test_a_template_that_names_the_fields_of_its_own_shape_renders_every_tool(
    tmp_path: Path, processes: None, tools: str
) -> None:
    assert causes(tmp_path, tools) == set()


def test_a_template_that_names_a_field_of_no_known_shape_still_fails(
    tmp_path: Path, processes: None
) -> None:
    assert causes(tmp_path, UNKNOWN) != set()
