"""Holds the table of values to what sentence-transformers takes of a drawn encoder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tokaudit.subject.effective.readers.sentence_encoder import NAME
from tokaudit.subject.effective.value_table import value_table
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_encoder import DrawnEncoder
from tokaudit_loaders.held_table import REFUSED, Disagreement, Tally

LIBRARY, LOWERS = "sentence-transformers", "do_lower_case"


def disagreements(
    drawn: DrawnEncoder, into: Path, judge: Judge, tally: Tally
) -> Iterator[Disagreement]:
    """What the table has otherwise than the library."""
    folder = drawn.write(into)
    subject = open_subject(folder)
    table = value_table(subject, parse_all(subject).parsed)
    cells = {cell.key: cell.value for cell in table if cell.loader == NAME}
    answer = judge(folder)
    refused = any(str(value).startswith(f"{REFUSED}: ") for value in cells.values())
    tally.compared[REFUSED] += 1
    if REFUSED in answer or refused:
        if (REFUSED in answer) != refused:
            yield Disagreement(LIBRARY, REFUSED, refused, answer.get(REFUSED))
        return
    lowers = answer.pop("lowers")
    for key, its in answer.items():
        if key not in cells:
            tally.unknown[key] += 1
            continue
        tally.compared[key] += 1
        if cells[key] != its:
            yield Disagreement(LIBRARY, key, cells[key], its)
    if cells[LOWERS] and not lowers:
        yield Disagreement(LIBRARY, LOWERS, cells[LOWERS], lowers)
