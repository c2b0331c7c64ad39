"""Convert offered tools to the form that a template reads.

Clients send tools as JSON schemas of functions.  Some makers' templates read a shape of their own,
and whoever serves such a model converts the schemas first.  Which shape it is, the template says
by the name of a field that no schema of functions has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Tool = Mapping[str, Any]
SCHEMA = re.compile(r"\b(?:function|parameters)\b")
PYTHON = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
PYTHON |= {"array": "list", "object": "dict"}


def shaped(tools: Sequence[Tool], template: str) -> list[Tool]:
    """Return the tools in the template's form; JSON schemas by default.

    >>> tool = {"type": "function", "function": {"name": "add", "parameters": {
    ...     "properties": {"a": {"type": "integer"}}, "required": ["a"]}}}
    >>> [found] = shaped([tool], "{% for t in tools %}{{ t.parameter_definitions }}{% endfor %}")
    >>> found["parameter_definitions"]
    {'a': {'type': 'int', 'description': '', 'required': True}}
    >>> shaped([tool], "{{ tools }}") == [tool]
    True
    """
    field = next((field for field in SHAPES if field in template), None)
    if field is None or SCHEMA.search(template):
        return list(tools)
    return [_of_function(tool, SHAPES[field]) for tool in tools]


def _of_function(tool: Tool, shape: Callable[[Tool], Tool]) -> Tool:
    """Convert a function tool with a schema; leave any other unchanged."""
    function = tool.get("function")
    return shape(function) if isinstance(function, Mapping) else tool


def _defined(function: Tool) -> Tool:
    """Convert to Command R's form: Python types, and `required` for each parameter."""
    schema = _mapping(function.get("parameters"))
    required = schema.get("required") or ()
    definitions = {
        name: {
            "type": PYTHON.get(str(each.get("type")), str(each.get("type"))),
            "description": each.get("description", ""),
            "required": name in required,
        }
        for name, each in _mapping(schema.get("properties")).items()
        if isinstance(each, Mapping)
    }
    return {**_named(function), "parameter_definitions": definitions}


def _with_input_schema(function: Tool) -> Tool:
    return {**_named(function), "input_schema": _mapping(function.get("parameters"))}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _named(function: Tool) -> Tool:
    return {key: function[key] for key in ("name", "description") if key in function}


SHAPES: Mapping[str, Callable[[Tool], Tool]] = {
    "parameter_definitions": _defined,
    "input_schema": _with_input_schema,
}
"""The field that tells a shape, and what makes it of a function."""
