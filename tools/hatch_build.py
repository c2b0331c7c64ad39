"""Builds the catalogue of checks with the wheel, and when a clone is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MAKER = Path(__file__).with_name("check_catalogue.py")


class CatalogueHook(BuildHookInterface[Any]):
    """Writes the catalogue next to the checks; the wheel takes it as an artifact."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is built, an editable one too."""
        spec = importlib.util.spec_from_file_location(MAKER.stem, MAKER)
        assert spec is not None and spec.loader is not None
        maker = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(maker)
        maker.write()
