"""The catalogue of documented defects, as its file states them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
OWN = Path(__file__).with_name("catalogue.json")
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
    references: tuple[str, ...] = ()


def material() -> Path:
    """The folder of outside material, found as the tests find it; raises `NoMaterial`."""
    named = os.environ.get("TOKAUDIT_MATERIAL")
    folder = Path(named) if named else ROOT.parent / "shared"
    if not (folder / "defects.json").is_file():
        raise NoMaterial(f"{folder} holds no defects.json: {HOW}")
    return folder


def entries(folder: Path) -> list[Entry]:
    """Every defect of the outside catalogue, and then those of the project's own."""
    return [*_listed(folder / "defects.json"), *own_entries()]


def own_entries() -> list[Entry]:
    """The defects that the project itself lists, each with the threads that document it."""
    return _listed(OWN)


def _listed(path: Path) -> list[Entry]:
    stated = json.loads(path.read_text(encoding="utf-8"))["defects"]
    return [_entry(defect) for defect in stated]


def _entry(defect: Mapping[str, Any]) -> Entry:
    id, name, severity, how = (
        str(defect[key]) for key in ("id", "name", "severity", "reproduction")
    )
    return Entry(id, name, severity, how, tuple(defect.get("references", ())))
