"""Read a report.json back into typed data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import msgspec

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.typed_values import read_json
from tokaudit.report.report import SCHEMA, Report

LARGEST_COUNT = 2**63 - 1
LONG_NUMBER = re.compile(r"\d{19}")


def decode_report(data: bytes | str, name: str = "report") -> Report:
    """Decode a report from JSON text; `name` is its name in errors."""
    try:
        head = read_json(data, dict[str, msgspec.Raw])
        schema = msgspec.json.decode(head.get("schema", b"null"), type=str | None)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{name}: is not a report: {_why(data, error)}") from error
    if schema is None:
        kind = "is a manifest, not a report" if "predicateType" in head else "is not a report"
        raise UsageError(
            f"{name}: {kind} ({SCHEMA}); to write one: tokaudit audit DIR --out X.json"
        )
    if schema_parts(schema) != schema_parts(SCHEMA):
        raise UsageError(
            f"{name}: states the schema {schema!r}, but this version of tokaudit reads {SCHEMA!r}"
        )
    try:
        report = read_json(data, Report)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{name}: is not a {SCHEMA!r} report: {error}") from error
    if LONG_NUMBER.search(data if isinstance(data, str) else data.decode()):
        for field, count in _counts(report):
            if abs(count) > LARGEST_COUNT:
                raise UnreadableError(
                    f"{name}: {field} is too large a number, of {len(str(count))} digits"
                )
    return report


def _counts(value: object) -> Iterator[tuple[str, int]]:
    """Yield every whole number that a report counts with; values stated by files may be any."""
    if isinstance(value, tuple | list):
        for each in value:
            yield from _counts(each)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _counts(each)
    elif is_dataclass(value):
        for field in fields(value):
            own = getattr(value, field.name)
            if isinstance(own, int) and "int" in str(field.type):
                yield field.name, own
            elif field.type != "Any":
                yield from _counts(own)


def _why(data: bytes | str, error: Exception) -> str:
    """Explain why a text is not JSON, for a user who named the wrong file."""
    page = data[:1] in (b"<", "<")
    return (
        "the file is HTML or XML, not JSON; name the .json file that --out wrote"
        if page
        else str(error)
    )


def schema_parts(schema: str) -> tuple[str, str]:
    """Return the name and the major version of a schema.

    >>> schema_parts("tokaudit.report/1.2")
    ('tokaudit.report', '1')
    """
    name, _, version = schema.rpartition("/")
    return name, version.partition(".")[0]
