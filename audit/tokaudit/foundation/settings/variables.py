"""Settings that are variables with values: `enable_thinking=false`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import Argument, AsGiven
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import listed


@dataclass(frozen=True)
class Variables(AsGiven):
    """Names with values, which are parsed as JSON if possible, else kept as text."""

    argument = Argument("NAME=VALUE", "append")

    def checked(self, name: str, given: Mapping[str, Any] | Iterable[str]) -> dict[str, Any]:
        if isinstance(given, Mapping):
            return dict(given)
        return dict(_pair(name, one) for one in listed(name, given))

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        return table.texts(key)


def _pair(name: str, given: Any) -> tuple[str, Any]:
    """Split a variable from its value.

    >>> _pair("var", "enable_thinking=false"), _pair("var", "effort=low")
    (('enable_thinking', False), ('effort', 'low'))
    """
    key, equals, value = str(given).partition("=")
    if not (key.isidentifier() and equals):
        raise UsageError(f"{name} {given!r}: is not NAME=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value
