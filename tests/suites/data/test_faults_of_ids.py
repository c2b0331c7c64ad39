"""Each way in which documents are wrong is found in each format, and sound ones have no finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from id_faults import FAULTS, IdFault
from id_scans import findings, identities, scan_of

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


@pytest.mark.parametrize(
    ("writer", "fault"),
    [(w, f) for w in WRITERS for f in FAULTS if w.stated or f.streams],
    ids=named,
)
def test_a_fault_is_found_by_name(
    writer: IdWriter, fault: IdFault, rows: Rows, tokenizer: Path, tmp_path: Path
) -> None:
    writer.write(tmp_path / writer.file, fault.change(rows))
    assert fault.found in identities(scan_of(tmp_path, tokenizer))
