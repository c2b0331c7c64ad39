"""Engines that render conversations, of which one has the template of another release."""

from __future__ import annotations

from typing import Any

TEMPLATE = (
    "{% for message in messages %}<s>{{ message.role }}: {{ message.content }}{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant: {% endif %}"
)


class Engine:
    """An engine over two letters and a space that renders by its own template."""

    def __init__(self, template: str) -> None:
        self._template = template

    def hello(self, protocol: str, threads: int) -> dict[str, Any]:
        return {"protocol": protocol, "name": "acorn", "version": "1", "can": ["template"]}

    def encode(self, texts: list[str], **_: object) -> dict[str, Any]:
        ids = [[{"a": 0, "b": 1, " ": 2}[each] for each in text if each in "ab "] for text in texts]
        return {"ids": ids}

    def render(self, conversations: list[dict[str, Any]]) -> dict[str, Any]:
        from jinja2 import Environment

        template = Environment(trim_blocks=True, lstrip_blocks=True).from_string(self._template)
        return {"texts": [template.render(**each) for each in conversations]}


right = Engine(TEMPLATE)
trimmed = Engine(TEMPLATE.replace("assistant: ", "assistant:"))
