"""Readers for the file formats of other engines, one function for each format."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from typing import Any

from tokaudit.subject.safe_json import parse
from tokaudit.subject.upstream.engine_files import Form

BEFORE, AFTER = re.compile(r"<rt_info>"), re.compile(r"</rt_info>")
STATED = re.compile(r"<(\w+)(?: type=\"\w*\")? value=\"([^\"]*)\"")
KEY = re.compile(r"([A-Za-z_]\w*):(?:[ \t]+(.*))?")
INSTRUCTION = re.compile(r"[ \t]*(?:(TEMPLATE)|PARAMETER[ \t]+(stop))[ \t]+", re.IGNORECASE)
LONG, SHORT = '"""', '"'


def model_information(data: bytes, name: str) -> dict[str, Any]:
    """Read the named values of an OpenVINO model, which follow its layers.

    >>> model_information(b'<net><rt_info><eos_token_id value="7" /></rt_info></net>', "")
    {'eos_token_id': 7}
    """
    text = data.decode("utf-8", "replace")
    begins = [found.end() for found in BEFORE.finditer(text)]
    ends = AFTER.search(text, begins[-1]) if begins else None
    inside = text[begins[-1] : ends.start() if ends else None] if begins else ""
    return {key: _scalar(html.unescape(value)) for key, value in STATED.findall(inside)}


def recipe(data: bytes, name: str) -> dict[str, Any]:
    """Read the top keys of a YAML file whose values are a word, a number or a list of words.

    >>> recipe(b"a: 1\\nlist:\\n- <blank>\\n- 'x'\\nb:\\n  c: 2\\n", "")
    {'a': 1, 'list': ['<blank>', 'x']}
    """
    found: dict[str, Any] = {}
    listed: list[Any] = []
    for line in data.decode("utf-8", "replace").splitlines():
        if line.lstrip().startswith("- "):
            listed.append(_unquoted(line.lstrip()[2:].strip()))
        elif stated := KEY.fullmatch(line):
            key, value = stated.groups()
            listed = []
            found[key] = listed if not (value or "").strip() else _scalar(_unquoted(value.strip()))
        elif line[:1].strip() or line.strip():
            listed = []  # of a mapping, which is nothing here
    return {key: value for key, value in found.items() if value != []}


def instructions(data: bytes, name: str) -> dict[str, Any]:
    """Read the template and the stops of a Modelfile; the last template counts.

    >>> instructions(b'FROM a\\nTEMPLATE \"\"\"{{ .Prompt }}\"\"\"\\nPARAMETER stop <e>', "")
    {'template': '{{ .Prompt }}', 'stop': ['<e>']}
    """
    text = data.decode("utf-8", "replace")
    found: dict[str, Any] = {}
    at = 0
    while 0 <= at < len(text):
        instruction = INSTRUCTION.match(text, at)
        value, at = _text_from(text, at if instruction is None else instruction.end())
        if instruction is not None and instruction[1]:
            found["template"] = value
        elif instruction is not None:
            found.setdefault("stop", []).append(value)
    return found


def _text_from(text: str, at: int) -> tuple[str, int]:
    """Return an instruction's text and the start of the next line, -1 at the end.

    >>> _text_from("<e> \\nFROM x", 0), _text_from('"a\\nb" \\nc', 0)
    (('<e>', 5), ('a\\nb', 7))
    """
    quotes = next((each for each in (LONG, SHORT) if text.startswith(each, at)), "")
    ends = text.find(quotes, at + len(quotes)) if quotes else at
    if ends < 0:
        return text[at + len(quotes) :], ends
    line = text.find("\n", ends)
    if quotes:
        return text[at + len(quotes) : ends], line + 1 or -1
    return text[at : line if line >= 0 else None].strip(), line + 1 or -1


def lines(data: bytes, name: str) -> list[str]:
    """Read the lines of a list of words."""
    return [line for line in data.decode("utf-8", "replace").splitlines() if line]


def listed(data: bytes, name: str) -> list[str]:
    """Read one token from each line; a carriage return is stripped only if every line has one.

    >>> listed(b"a\\r\\n\\r\\n", ""), listed(b"a\\n\\r\\n\\nb\\n", "")
    (['a', ''], ['a', '\\r', '', 'b'])
    """
    rows = data.decode("utf-8", "replace").removesuffix("\n").split("\n")
    return [row[:-1] for row in rows] if all(row.endswith("\r") for row in rows) else rows


def _scalar(text: Any) -> Any:
    """Convert the text of a whole number to an integer.

    >>> _scalar("-1"), _scalar("x")
    (-1, 'x')
    """
    whole = isinstance(text, str) and re.fullmatch(r"-?\d{1,18}", text)
    return int(text) if whole else text


def _unquoted(text: str) -> str:
    """Remove the quotes of a YAML word.

    >>> _unquoted("'it''s'"), _unquoted('"\\\\u2581a"'), _unquoted("b")
    ("it's", '▁a', 'b')
    """
    inside = text[1:-1]
    if len(text) > 1 and text[0] == text[-1] == "'":
        return inside.replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return inside.encode("latin-1", "backslashreplace").decode("unicode_escape", "replace")
    return text


READERS: Mapping[Form, Callable[[bytes, str], Any]] = {
    Form.JSON: parse,
    Form.MODEL_INFORMATION: model_information,
    Form.RECIPE: recipe,
    Form.INSTRUCTIONS: instructions,
    Form.LINES: lines,
    Form.LIST: listed,
}
