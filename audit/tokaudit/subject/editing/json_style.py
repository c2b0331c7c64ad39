"""The style of a JSON file: its indent, its separators, and whether letters are escaped."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

FIRST_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")
ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}")
HEAD = 20_000  # characters that show how a file is written


@dataclass(frozen=True, slots=True)
class JsonStyle:
    """The style of a new value, so that it looks like those around it."""

    indent: str = ""
    comma: str = ", "
    colon: str = ": "
    ascii_alone: bool = False

    @classmethod
    def of(cls, text: str) -> JsonStyle:
        """The style of a text, as far as it shows one."""
        found = FIRST_INDENT.search(text, 0, HEAD)
        tight = '":' in text[:HEAD] and '": ' not in text[:HEAD]
        return cls(
            indent=found[1] if found else "",
            comma="," if tight else ", ",
            colon=":" if tight else ": ",
            ascii_alone=text.isascii() and ESCAPED.search(text) is not None,
        )

    def written(self, value: Any, depth: int, *, wide: bool) -> str:
        """A value so many levels deep; over several lines where it is `wide` and has members."""
        if not (wide and self.indent and isinstance(value, dict | list) and value):
            separators = (self.comma, self.colon)
            return json.dumps(value, ensure_ascii=self.ascii_alone, separators=separators)
        text = json.dumps(
            value, ensure_ascii=self.ascii_alone, indent=self.indent, separators=(",", self.colon)
        )
        return text.replace("\n", "\n" + self.indent * depth)
