"""The entries of a vocabulary are counted by script and by length."""

from __future__ import annotations

from pathlib import Path

import tokaudit
from tokaudit_folders.folder import Folder
from tokaudit_reports.charts import figures


def test_entries_are_counted_by_script_and_by_length_in_order(tmp_path: Path) -> None:
    entries = ["a", "ab", "abcdef", "ж", "жи", "1", "α", "abc"]
    Folder.bpe(entries).write(tmp_path)
    report = tokaudit.audit(tmp_path, select=["vocab/contents"], tier="default")
    by_script, by_length = figures.arrange(report).series
    assert by_script.title == "Vocabulary entries by script"
    assert [(p.label, p.measurement.value) for p in by_script.points] == [
        ("Latin", 4),
        ("Cyrillic", 2),
        ("Greek", 1),
        ("no letters", 1),
    ]
    assert [(p.label, p.measurement.value) for p in by_length.points] == [
        ("1", 4),
        ("2", 2),
        ("3", 1),
        ("5 to 8", 1),
    ]
