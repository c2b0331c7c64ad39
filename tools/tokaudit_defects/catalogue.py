"""The catalogue of documented defects, as its file states them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HOW = "set TOKAUDIT_MATERIAL to the folder that holds defects.json and tokenizers/"


class NoMaterial(Exception):
    """The outside material is not there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One documented defect."""

    id: str
    name: str
    severity: str
    reproduction: str


def material() -> Path:
    """The folder of outside material, found as the tests find it; raises `NoMaterial`."""
    named = os.environ.get("TOKAUDIT_MATERIAL")
    folder = Path(named) if named else ROOT.parent / "shared"
    if not (folder / "defects.json").is_file():
        raise NoMaterial(f"{folder} holds no defects.json: {HOW}")
    return folder


def entries(folder: Path) -> list[Entry]:
    """Every defect of the catalogue, in its order."""
    stated = json.loads((folder / "defects.json").read_text(encoding="utf-8"))
    fields = ("id", "name", "severity", "reproduction")
    return [Entry(*(defect[field] for field in fields)) for defect in stated["defects"]]
