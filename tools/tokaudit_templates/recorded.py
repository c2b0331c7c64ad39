"""The findings on published templates that were read, as `findings.toml` states them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

HERE = Path(__file__).parent
Cause = tuple[str, str]
"""A check of the suite, and one of its causes."""


class ReadFinding(msgspec.Struct, frozen=True):
    """One cause, why it is true, and of which templates; `thread` documents it as a defect.

    It is `kept` where the makers would hardly act on it.
    """

    check: str
    cause: str
    because: str
    templates: frozenset[str]
    thread: str = ""
    kept: bool = False


@cache
def read_findings() -> Mapping[Cause, ReadFinding]:
    """Every finding of the record."""
    stated = tomllib.loads((HERE / "findings.toml").read_text(encoding="utf-8"))
    found = msgspec.convert(stated["finding"], tuple[ReadFinding, ...])
    return {(one.check, one.cause): one for one in found}
