"""Writes the pages of the documentation that are made of tables, schemas and records."""

from __future__ import annotations

import sys

from tokaudit_pages import (
    DOCS,
    gate_schema,
    plugin,
    python,
    report_format,
    settings,
    severity,
    symptoms,
)

WRITTEN = {
    "report.md": report_format,
    "settings.md": settings,
    "severity.md": severity,
    "plugin.md": plugin,
    "python.md": python,
    "symptoms.md": symptoms,
    "tokaudit.schema.json": gate_schema,
}


def main() -> None:
    """Write every page, or those that are named."""
    for name in sys.argv[1:] or WRITTEN:
        (DOCS / name).write_text(WRITTEN[name].page(), encoding="utf-8")
