"""JSON Schema of tokaudit.toml, for completion and validation in editors.

It is made from the settings themselves; only what a kind of setting reads from a table is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit.foundation.settings.setting import Named, settings_of
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.products.gate.configuration import KEYS_OF_LISTS, KINDS, KINDS_OF_A_SUBJECT
from tokaudit.products.gate.measuring import LIMITS
from tokaudit.report.model import Severity

ADDRESS = "https://tokaudit.dev/tokaudit.schema.json"
TEXT: dict[str, Any] = {"type": "string"}
TEXTS: dict[str, Any] = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
Schema = dict[str, Any]


def configuration_schema() -> Schema:
    """Return the schema of the whole file."""
    severities = {"enum": [str(each) for each in Severity]}
    subject = _object({"path": TEXT} | _settings(KINDS_OF_A_SUBJECT), required=("path",))
    lists = {
        "subjects": {"anyOf": [TEXT, subject]},
        "thresholds": _of_keys("thresholds", required=("measurement",)),
        "suppressions": _of_keys("suppressions", required=("reason",)),
    }
    properties = _settings(KINDS) | {
        "severity": {"type": "object", "additionalProperties": severities},
        **{name: {"type": "array", "items": entry} for name, entry in lists.items()},
    }
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ADDRESS,
        "title": "tokaudit.toml",
    }
    return head | _object(properties, required=("subjects",))


def _object(properties: Mapping[str, Any], required: Sequence[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _of_keys(name: str, required: Sequence[str]) -> Schema:
    """Return an entry whose keys are texts, numbers, days and a table of dimensions."""
    other = {key: {"type": "number"} for key in LIMITS}
    other |= {"until": {}, "dimensions": {"type": "object"}}
    return _object({key: other.get(key, TEXT) for key in KEYS_OF_LISTS[name]}, required)


def _settings(kinds: Iterable[type]) -> Schema:
    return {each.key: _setting(each) for kind in kinds for each in settings_of(kind)}


def _setting(each: Named) -> Schema:
    read = _Reading()
    each.setting.kind.from_toml(read, each.key, Path())
    return {"description": each.setting.help, **read.schema}


class _Reading(Table):
    """A table without keys that records how the requested key is read."""

    def __init__(self) -> None:
        super().__init__("", {})
        self.schema: Schema = {}

    def text(self, key: str, default: str | None = None) -> str | None:
        """A string."""
        self.schema = TEXT
        return default

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """One string or a list."""
        self.schema = TEXTS
        return default

    def number(self, key: str) -> float | None:
        """A number above nothing."""
        self.schema = {"type": "number", "exclusiveMinimum": 0}
        return None

    def flag(self, key: str) -> bool | None:
        """Read a value that is true or false."""
        self.schema = {"type": "boolean"}
        return None

    def whole(self, key: str) -> int | None:
        """A whole number."""
        self.schema = {"type": "integer"}
        return None

    def choice(self, key: str, known: Iterable[str], default: Any) -> Any:
        """One of the words."""
        self.schema = {"enum": list(map(str, known))}
        return default

    def table(self, key: str) -> Table:
        """A table with any keys."""
        self.schema = {"type": "object"}
        return Table("", {})
