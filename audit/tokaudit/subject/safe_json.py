"""Read JSON from strangers: bounded, and every failure is one line naming the file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from tokaudit.foundation.errors import UnreadableError

Pairs = list[tuple[str, Any]]

MOST_MEMBERS = 4_000_000  # values of a file; the largest published tokenizer has about 2 million
DEEPEST = 128  # objects and lists in each other; published files have at most ten


def parse(
    data: bytes,
    name: str,
    parse_float: Callable[[str], float] = float,
    made: Callable[[Pairs], dict[str, Any]] | None = None,
) -> Any:
    """Parse UTF-8 JSON; raise `UnreadableError` with file, line and column.

    `made` makes each object from its pairs, and so sees a key that is given twice.

    >>> parse(b'{"a": [1]}', "x.json")
    {'a': [1]}
    """
    _refuse_many(data, name)
    floats = None if parse_float is float else parse_float
    try:
        value = json.loads(data, parse_float=floats, object_pairs_hook=made)
        _refuse_deep(value, name)
        return value
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        early = "; the file ends early, as after a download that stopped" if _ends(error) else ""
        raise UnreadableError(f"{name}: is not JSON: {error.msg} at {place}{early}") from error
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{name}: is not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise UnreadableError(f"{name}: is nested too deeply to be a tokenizer's file") from error
    except ValueError as error:  # an integer of thousands of digits
        raise UnreadableError(f"{name}: {str(error).partition(';')[0]}") from error


def parse_object(
    data: bytes,
    name: str,
    parse_float: Callable[[str], float] = float,
    made: Callable[[Pairs], dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Parse a JSON object; refuse anything else."""
    value = parse(data, name, parse_float, made)
    if not isinstance(value, dict):
        raise UnreadableError(f"{name}: holds a {type(value).__name__}; expected a JSON object")
    return value


def _ends(error: json.JSONDecodeError) -> bool:
    """Return whether JSON ends too early, in a file with some content."""
    cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
    return cut and error.doc.lstrip()[:1] in ("{", "[")


def _refuse_many(data: bytes, name: str) -> None:
    """Refuse JSON that would exhaust memory: two bytes can take a hundred when parsed.

    Each value has a comma or bracket; those in texts are counted too.
    """
    members = data.count(b",") + data.count(b"[") + data.count(b"{")
    if members > MOST_MEMBERS:
        most = f"at most {MOST_MEMBERS:,} are read"
        raise UnreadableError(f"{name}: has up to {members:,} values; {most}")


def _refuse_deep(value: Any, name: str) -> None:
    level, depth = [value], 0
    while level := [inner for one in level for inner in _inside(one)]:
        depth += 1
        if depth > DEEPEST:
            raise UnreadableError(f"{name}: is nested too deeply to be a tokenizer's file")


def _inside(value: Any) -> Iterator[Any]:
    """Yield the objects and lists directly in a value."""
    held = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list) and not {dict, list}.isdisjoint(map(type, held)):
        yield from (one for one in held if isinstance(one, dict | list))


def pointer(*parts: str | int) -> str:
    """Build a JSON pointer (RFC 6901).

    >>> pointer("a/b", 0)
    '/a~1b/0'
    """
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in parts)
    return "".join("/" + part for part in escaped)


def steps(pointer: str) -> tuple[str, ...]:
    """Split a JSON pointer (RFC 6901) into keys.

    >>> steps("/a~1b/0")
    ('a/b', '0')
    """
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
