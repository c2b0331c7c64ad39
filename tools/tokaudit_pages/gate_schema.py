"""The JSON Schema of tokaudit.toml, by which editors complete its keys: published with the docs."""

from __future__ import annotations

import json

from tokaudit.products.gate.schema import configuration_schema


def page() -> str:
    """The schema as the file has it."""
    return json.dumps(configuration_schema(), indent=1, ensure_ascii=False) + "\n"
