"""Each way in which documents are wrong is found in each format, and sound ones have no finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from id_faults import FAULTS, IdFault
from id_scans import findings, identities, scan_of
from law_examples import ALL

from tokaudit_folders.id_files import WRITERS, IdWriter

Rows = list[list[int]]


def named(each: IdFault | IdWriter) -> str:
    return each.name


@pytest.mark.parametrize("writer", WRITERS, ids=named)
def test_sound_documents_have_no_finding(
    writer: IdWriter, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    writer.write(tmp_path / writer.file, rows)
    scan = scan_of(tmp_path, tokenizer)
    assert findings(scan) == []
    assert scan.judged == len(rows)
    assert scan.total.ids == sum(map(len, rows))


PAIRS = [
    (writer, fault)
    for at, writer in enumerate(WRITERS)
    for shift, fault in enumerate(FAULTS)
    if (writer.stated or fault.streams) and (ALL or (at + shift) % 3 == 0)
]
"""Once they are read, ids of all formats are judged alike, so a third of all pairs is tried."""


@pytest.mark.parametrize(("writer", "fault"), PAIRS, ids=named)
def test_a_fault_is_found_by_name(
    writer: IdWriter, fault: IdFault, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    writer.write(tmp_path / writer.file, fault.change(rows))
    assert fault.found in identities(scan_of(tmp_path, tokenizer))


def test_each_fault_and_each_format_is_tried() -> None:
    assert {fault.name for _, fault in PAIRS} == {fault.name for fault in FAULTS}
    assert {writer.name for writer, _ in PAIRS} == {writer.name for writer in WRITERS}
