"""The page of `report.json`, written from its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit_reports.json_report import schema
from tokaudit_tools.tables import table

HEAD = """\
# The format of a report

Written from the schema by `make docs`. `tokaudit audit SUBJECT --out report.json` writes a report
as data, `tokaudit report report.json` renders it again, and `tokaudit_reports/report.schema.json`
is its JSON Schema, by the id `https://tokaudit.dev/report/v1`. `"schema": "tokaudit.report/1"`
names the major version: members may be added in it, so ignore those that you do not know; none is
removed and none changes its meaning.

A report is an object of the first kind below. A member without a default is always there."""
Rules = Mapping[str, Any]


def page() -> str:
    """Markdown: a section for each kind of object or word, in the order in which they are met."""
    kinds: Mapping[str, Rules] = schema()["$defs"]
    sections = ("\n\n".join(_section(name, rules)) for name, rules in kinds.items())
    return "\n\n".join([HEAD, *sections]) + "\n"


def _section(name: str, rules: Rules) -> Iterator[str]:
    yield f"## {name}"
    if about := _about(rules):
        yield about
    if "enum" in rules:
        yield f"One of {', '.join(f'`{value}`' for value in rules['enum'])}."
    else:
        members: Mapping[str, Rules] = rules.get("properties", {})
        required = rules.get("required", ())
        rows = [_row(key, each, key in required) for key, each in members.items()]
        yield table(("member", "is", "default"), rows).rstrip("\n")


def _about(rules: Rules) -> str:
    """What the class says of itself, as one line for each paragraph."""
    paragraphs = re.split(r"\n\s*\n", rules.get("description", ""))
    return "\n\n".join(" ".join(each.split()) for each in paragraphs if ">>>" not in each)


def _row(key: str, rules: Rules, required: bool) -> tuple[str, str, str]:
    default = "" if required else _default(rules)
    return f"`{key}`", kind(rules), default


def kind(rules: Rules) -> str:
    """What a value may be, in words.

    >>> kind({"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Place"}}, {"type": "null"}]})
    'list of [Place](#place), or null'
    """
    match rules:
        case {"$ref": where}:
            name = where.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"anyOf": several}:
            return ", or ".join(kind(each) for each in several)
        case {"prefixItems": parts}:
            return f"list of {len(parts)}: {', '.join(kind(each) for each in parts)}"
        case {"type": "array", "items": items}:
            return f"list of {kind(items)}"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {kind(values)}"
        case {"type": word}:
            return str(word)
    return "anything"


def _default(rules: Rules) -> str:
    """What holds where the member is left out, as JSON writes it."""
    return f"`{json.dumps(rules['default'])}`" if "default" in rules else "an empty one"
