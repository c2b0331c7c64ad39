"""Where the project lies, and the outside material that some tests need."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def find_material() -> Path | None:
    """The folder of outside material: TOKAUDIT_MATERIAL, else a sibling folder `shared`."""
    named = os.environ.get("TOKAUDIT_MATERIAL")
    folder = Path(named) if named else ROOT.parent / "shared"
    return folder if (folder / "tokenizers" / "INDEX.json").is_file() else None
