"""Source of a manifest: an audit's report, with data that only manifests need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokaudit.products.identity.kept import Kept
from tokaudit.report.report import Report


@dataclass(frozen=True)
class Whole:
    """A report with all identities, and additional data for a manifest."""

    report: Report
    facts: Mapping[str, Any] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)
    not_derived: str = ""  # why the behaviour is not among the identities, where that says nothing
