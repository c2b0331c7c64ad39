"""Set, add and remove values of a JSON text by pointer, leaving the rest unchanged."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.editing.json_spans import Container, Member, container_at
from tokaudit.subject.places.json_lines import after_space
from tokaudit.subject.safe_json import steps

FIRST_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")
ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}")
HEAD = 20_000  # characters that show how a file is written


@dataclass(frozen=True, slots=True)
class JsonStyle:
    """The style of a new value, so that it looks like its neighbours."""

    indent: str = ""
    comma: str = ", "
    colon: str = ": "
    ascii_alone: bool = False

    @classmethod
    def of(cls, text: str) -> JsonStyle:
        """Detect the style of a text, as far as it shows one."""
        found = FIRST_INDENT.search(text, 0, HEAD)
        tight = '":' in text[:HEAD] and '": ' not in text[:HEAD]
        return cls(
            indent=found[1] if found else "",
            comma="," if tight else ", ",
            colon=":" if tight else ": ",
            ascii_alone=text.isascii() and ESCAPED.search(text) is not None,
        )

    def written(self, value: Any, depth: int, *, wide: bool) -> str:
        """Format a value at a depth; on several lines if it is `wide` and has members."""
        if not (wide and self.indent and isinstance(value, dict | list) and value):
            separators = (self.comma, self.colon)
            return json.dumps(value, ensure_ascii=self.ascii_alone, separators=separators)
        text = json.dumps(
            value, ensure_ascii=self.ascii_alone, indent=self.indent, separators=(",", self.colon)
        )
        return text.replace("\n", "\n" + self.indent * depth)


ABSENT = object()
LAST = "-"  # of a pointer: after the last entry of a list (RFC 6901)


def value_at(value: Any, pointer: str) -> Any:
    """Return the value at a pointer in parsed JSON; `ABSENT` if there is none.

    >>> value_at({"a": [1, 2]}, "/a/1"), value_at({}, "/a") is ABSENT
    (2, True)
    """
    for key in steps(pointer):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return ABSENT
    return value


def with_value(text: str, pointer: str, value: Any) -> str:
    """Return the text with another value at a pointer, adding its last key if new.

    >>> with_value('{"a": 1, "b": [2]}', "/b/0", None)
    '{"a": 1, "b": [null]}'
    >>> with_value('{\\n  "a": 1\\n}', "/b", [3])
    '{\\n  "a": 1,\\n  "b": [\\n    3\\n  ]\\n}'
    """
    path, style = steps(pointer), JsonStyle.of(text)
    if not path:
        return style.written(value, 0, wide=True) + ("\n" if text.endswith("\n") else "")
    inside = _container(text, path)
    member = inside.member(path[-1])
    if member is None:
        return _added(text, inside, path, value, style)
    return _replaced(text, inside, member, len(path), value, style)


def without_value(text: str, pointer: str) -> str:
    """Return the text without the value at a pointer.

    >>> without_value('{"a": 1, "b": 2}', "/b"), without_value('{"a": 1, "b": 2}', "/a")
    ('{"a": 1}', '{"b": 2}')
    """
    path = steps(pointer)
    inside = _container(text, path)
    member = inside.member(path[-1])
    if member is None:
        raise UnreadableError(f"{pointer}: this JSON pointer leads to no value")
    at = inside.members.index(member)
    if at + 1 < len(inside.members):
        return text[: member.start] + text[inside.members[at + 1].start :]
    if at:
        return text[: inside.members[at - 1].end] + text[member.end :]
    return text[: inside.start + 1] + text[inside.end :]


def _container(text: str, path: tuple[str, ...]) -> Container:
    found = container_at(text, path[:-1]) if path else None
    if found is None:
        raise UnreadableError(f"{'/'.join(('', *path))}: this JSON pointer leads to no value")
    return found


def _replaced(
    text: str, inside: Container, member: Member, depth: int, value: Any, style: JsonStyle
) -> str:
    old = text[member.value : member.end]
    on_one_line = old[0] in "{[" and len(old) > len("[]") and "\n" not in old
    wide = not on_one_line and "\n" in text[inside.start : inside.end]
    new = style.written(value, depth, wide=wide)
    return text[: member.value] + new + text[member.end :]


def _added(
    text: str, inside: Container, path: tuple[str, ...], value: Any, style: JsonStyle
) -> str:
    """Add a value after the last member, in the style of the members."""
    if not inside.pairs and path[-1] not in (LAST, str(len(inside.members))):
        raise UnreadableError(f"/{'/'.join(path)}: this JSON pointer leads to no value")
    depth, last = len(path), inside.members[-1] if inside.members else None
    wide = "\n" in text[inside.start : inside.end] if last else bool(style.indent)
    key = json.dumps(path[-1], ensure_ascii=style.ascii_alone) + style.colon
    new = (key if inside.pairs else "") + style.written(value, depth, wide=wide)
    if last is not None:
        gap = text[_space_before(text, last.start) : last.start]
        return text[: last.end] + "," + (gap or style.comma[1:]) + new + text[last.end :]
    if not wide:
        return text[: inside.start + 1] + new + text[inside.end :]
    line = "\n" + style.indent * depth
    return (
        text[: inside.start + 1]
        + line
        + new
        + line[: -len(style.indent)]
        + text[after_space(text, inside.start + 1) :]
    )


def _space_before(text: str, at: int) -> int:
    """Return the start of the white space before a position."""
    return len(text[:at].rstrip(" \t\r\n"))
