"""Regenerates the shipped JSON Schema: `python -m tokaudit_reports.schema`."""

from __future__ import annotations

import json
from pathlib import Path

from tokaudit_reports.json_report import schema

SHIPPED = Path(__file__).with_name("report.schema.json")


def text() -> str:
    """Return the schema as the shipped file must hold it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SHIPPED.write_text(text(), encoding="utf-8")
    print(f"wrote {SHIPPED}")
