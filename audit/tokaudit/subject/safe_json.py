"""Reads JSON from strangers: bounded, and every way to fail is one line naming the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tokaudit.errors import UnreadableError


def parse(data: bytes, name: str, parse_float: Callable[[str], float] = float) -> Any:
    """The value in UTF-8 JSON; raises `UnreadableError` with file, line and column.

    >>> parse(b'{"a": [1]}', "x.json")
    {'a': [1]}
    """
    try:
        return json.loads(data, parse_float=None if parse_float is float else parse_float)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise UnreadableError(f"{name}: is not JSON: {error.msg} at {place}") from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{name}: is not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise UnreadableError(f"{name}: is nested too deeply to be a tokenizer's file") from error
    except ValueError as error:  # an integer of thousands of digits
        raise UnreadableError(f"{name}: {str(error).partition(';')[0]}") from error


def parse_object(
    data: bytes, name: str, parse_float: Callable[[str], float] = float
) -> dict[str, Any]:
    """The object in JSON; anything else is refused."""
    value = parse(data, name, parse_float)
    if not isinstance(value, dict):
        raise UnreadableError(f"{name}: holds a {type(value).__name__}; expected a JSON object")
    return value


def pointer(*parts: str | int) -> str:
    """A JSON pointer (RFC 6901).

    >>> pointer("a/b", 0)
    '/a~1b/0'
    """
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in parts)
    return "".join("/" + part for part in escaped)
