"""Raises the severity of a finding for the use that the user states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tokaudit.plugin import Finding, Options, Severity


def for_use(finding: Finding, options: Options, raised: Mapping[str, Severity]) -> Finding:
    """The finding as it is, or with the severity that it has for the stated use."""
    severity = raised.get(options.use or "")
    return finding if severity is None else replace(finding, severity=severity)
