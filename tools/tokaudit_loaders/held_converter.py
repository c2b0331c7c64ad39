"""Holds the table of values to what llama.cpp's converter reads of a drawn folder's settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.configs import ROLES
from tokaudit.subject.effective.readers.gguf_converter import ENDS, LATER, NAME, TEMPLATE
from tokaudit.subject.effective.value_table import value_table
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_loaders.drawn_folders import MODEL, DrawnFolder
from tokaudit_loaders.held_table import Disagreement, Tally

CONVERTER = "converter"


def disagreements(drawn: DrawnFolder, into: Path, tally: Tally) -> Iterator[Disagreement]:
    """What the table has otherwise than the class that reads settings for the converter."""
    from gguf import SpecialVocab

    folder = drawn.write(into)
    if not (folder / MODEL).is_file():
        return
    try:
        subject = open_subject(folder)
    except UnreadableError:
        return  # no file of a tokenizer
    table = value_table(subject, parse_all(subject).parsed)
    cells = {cell.key: cell.value for cell in table if cell.loader == NAME}
    try:
        read = SpecialVocab(folder)
    except Exception:
        tally.unknown["refused"] += 1
        return
    for key, ours, its in _pairs(cells, read):
        tally.compared[key] += 1
        if ours != its:
            yield Disagreement(CONVERTER, key, ours, its)


def _pairs(cells: dict[str, Any], read: Any) -> Iterator[tuple[str, Any, Any]]:
    for role in (*ROLES, *LATER):
        yield f"{role}_token_id", cells.get(f"{role}_token_id"), read.special_token_ids.get(role)
    for role in ENDS:
        yield f"add_{role}_token", cells[f"add_{role}_token"], read.add_special_token.get(role)
    its = read.chat_template
    names = ", ".join(sorted(each["name"] for each in its)) if isinstance(its, list) else "default"
    ours = cells[TEMPLATE]
    shown = ours and ", ".join(sorted(ours.split(", ")))
    yield TEMPLATE, shown, None if its is None else names
