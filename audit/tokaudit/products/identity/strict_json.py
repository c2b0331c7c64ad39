"""Strict JSON for manifests: ambiguous input is refused."""

from __future__ import annotations

import json
from typing import Any

from tokaudit.foundation.errors import UnreadableError


def parsed(data: bytes, name: str) -> Any:
    """Parse strict JSON; raise `UnreadableError`, also for a duplicate key.

    >>> parsed(b'{"a": 1}', "manifest.json")
    {'a': 1}
    """
    try:
        return json.loads(data.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{name}: is not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise UnreadableError(f"{name}: is nested too deeply to be a manifest") from error
    except ValueError as error:
        reason = str(error).partition(";")[0]
        raise UnreadableError(f"{name}: is not JSON: {reason}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
        raise ValueError(f"the key {json.dumps(twice)[:90]} is given twice in one object")
    return made


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")
