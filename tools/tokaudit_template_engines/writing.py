"""The place of a template that writes a character of its text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

from tokaudit.products.chat.rendering.environment import environment
from tokaudit.products.chat.rendering.reading.portability import divergences
from tokaudit.products.chat.rendering.reading.syntax import written_as
from tokaudit.products.chat.rendering.terms import Dialect

OWN_TEXT = "the template's own text"
OPEN, NUMBERED, CLOSE = "\ue000", "\ue001", "\ue002"
MARK = re.compile(f"{OPEN}(\\d+){NUMBERED}|{CLOSE}")


@dataclass(frozen=True)
class Place:
    """The line, what is written there, and the construct of it that engines read otherwise."""

    line: int
    code: str
    construct: str


class Writing:
    """A template whose every output carries the number of the place that wrote it."""

    def __init__(self, template: str) -> None:
        sandbox = environment(Dialect.TRANSFORMERS_5)
        sandbox.filters["marked"] = lambda value, number: f"{OPEN}{number}{NUMBERED}{value}{CLOSE}"
        tree = sandbox.parse(template)
        read: dict[int, str] = {}
        for one in divergences(template, sandbox, tree):
            read.setdefault(one.line, str(one.construct))
        self.places: list[Place] = []
        for output in list(tree.find_all(nodes.Output)):
            output.nodes = [self._marked(each, read) for each in output.nodes]
        self._template = sandbox.from_string(tree)

    def _marked(self, node: nodes.Expr, read: Mapping[int, str]) -> nodes.Expr:
        data = isinstance(node, nodes.TemplateData)
        code = OWN_TEXT if data else written_as(node)
        self.places.append(Place(node.lineno, code, "" if data else read.get(node.lineno, "")))
        given = nodes.Const(node.data) if isinstance(node, nodes.TemplateData) else node
        number = nodes.Const(len(self.places) - 1)
        return nodes.Filter(given, "marked", [number], [], None, None).set_lineno(node.lineno)

    def place_of(self, context: Mapping[str, Any], text: str, at: int) -> Place | None:
        """The place that wrote the character; None where marks change what the template does."""
        try:
            marked = self._template.render(**context)
        except Exception:
            return None
        if MARK.sub("", marked) != text:
            return None
        open_places, seen, last = list[int](), 0, 0
        for mark in MARK.finditer(marked):
            seen += mark.start() - last
            last = mark.end()
            if seen > at and open_places:
                break
            if mark[1]:
                open_places.append(int(mark[1]))
            else:
                open_places.pop()
        return self.places[open_places[-1]] if open_places else None
