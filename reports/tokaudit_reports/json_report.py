"""Writes a report as JSON, which keeps everything; `tokaudit.report.reading` reads it back."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import msgspec

from tokaudit.foundation.json_bytes import json_bytes
from tokaudit.plugin import (
    SCHEMA,
    Cause,
    Report,
    ReportWriter,
    TokauditError,
    escaped_json,
    schema_parts,
)

_NUMBER = {"type": "integer", "minimum": 0}
CAUSE = {
    "title": "Cause",
    "type": "object",
    "description": "A finding and those that it explains. Numbers count the findings of all "
    "results in their order, from 0; the severity is the worst of the group.",
    "properties": {
        "severity": {"$ref": "#/$defs/Severity"},
        "identity": {"type": "string"},
        "part": {"type": "string"},
        "finding": _NUMBER,
        "explains": {"type": "array", "items": _NUMBER},
    },
    "required": ["severity", "identity", "part", "finding", "explains"],
}
_DEEPEST = 200  # levels of nesting in a value that the subject states


def write(report: Report) -> str:
    """The report as indented JSON; mappings keep their order, so that it is shown as it was.

    Raises `TokauditError` for a measurement or time that is not a number. What JSON or UTF-8
    cannot hold in a value quoted from the subject (a lone surrogate, `Infinity`) is written as
    text that shows it.
    """
    _refuse_unreal(report)
    parts = msgspec.to_builtins(report, str_keys=True, enc_hook=_plain)
    head = {"schema": parts.pop("schema"), "sentence": report.sentence}
    ordered = {**head, "causes": [_grouped(each) for each in report.causes], **parts}
    encoded = json_bytes(_writable(ordered))
    return escaped_json(msgspec.json.format(encoded, indent=2).decode()) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of a report, generated from the dataclasses."""
    generated = msgspec.json.schema(Report)
    name, major = schema_parts(SCHEMA)
    version = generated["$defs"]["Report"]["properties"]["schema"]
    version["pattern"] = f"^{name.replace('.', '[.]')}/{major}([.][0-9]+)*$"
    generated["$defs"]["Report"]["required"] += ["schema", "sentence"]
    generated["$defs"]["Cause"] = CAUSE
    generated["$defs"]["Report"]["properties"]["causes"] = {
        "type": "array",
        "description": "Every finding once, made of the rest when the report is written.",
        "items": {"$ref": "#/$defs/Cause"},
    }
    generated["$defs"]["Report"]["properties"]["sentence"] = {
        "type": "string",
        "description": "What to do and why, made of the rest when the report is written.",
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://tokaudit.dev/report/v{major}",
        "title": f"A tokaudit report ({SCHEMA})",
        **generated,
    }


def _grouped(cause: Cause) -> dict[str, Any]:
    return {
        "severity": cause.severity,
        "identity": cause.finding.identity,
        "part": cause.part,
        "finding": cause.number,
        "explains": list(cause.numbers),
    }


def _refuse_unreal(report: Report) -> None:
    for name, number in _numbers(report):
        if not math.isfinite(number):
            raise TokauditError(f"{name} is {number}, which JSON cannot hold: leave it out instead")


def _numbers(report: Report) -> Iterator[tuple[str, float]]:
    """Yield every number that we computed, with words that name its source."""
    yield "the report's seconds", report.seconds
    for part in fields(report.timing):
        yield f"timing.{part.name}", getattr(report.timing, part.name)
    for result in report.results:
        yield f"{result.check}: seconds", result.seconds
        for measured in result.measurements:
            name = f"{result.check}: {measured.key} {dict(measured.dimensions)}"
            yield from ((name, number) for number in (measured.value, *(measured.interval or ())))


def _plain(value: Any) -> Any:
    """Encode types that msgspec does not know, among the values that facts may carry."""
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def _writable(value: Any, depth: int = 0) -> Any:
    """Return a tree of plain data without values that UTF-8 JSON cannot hold."""
    if depth > _DEEPEST:
        return "…"
    match value:
        case str():
            if value.isascii():  # as most are
                return value
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {_writable(key): _writable(each, depth + 1) for key, each in value.items()}
        case list() | tuple():
            return [_writable(each, depth + 1) for each in value]
        case bytes():
            return base64.b64encode(value).decode()
        case float() if not math.isfinite(value):
            return str(value)
    return value


WRITER = ReportWriter("json", (".json",), write)
