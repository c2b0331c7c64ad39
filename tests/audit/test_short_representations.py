"""What Python shows of an object is short, however much the object holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine.check import all_checks
from tokaudit.products.gate.gating import Gate, GatedSubject
from tokaudit_folders.folder import Folder

LONGEST = 300


@pytest.mark.usefixtures("workers_in_forks")
def test_no_representation_of_an_object_that_users_meet_is_long(
    tmp_path: Path, processes: None
) -> None:
    letters = [chr(point) for point in range(0x4E00, 0x4E00 + 3000)]
    for name, more in (("one", []), ("two", ["x"])):
        Folder.bpe([*letters, *more], []).config(vocab_size=3000).write(tmp_path / name)
    report = tokaudit.audit(tmp_path / "one", select=["vocab", "config"], tier="quick")
    compared = tokaudit.compare(tmp_path / "one", tmp_path / "two", tier="quick")
    drifts = tokaudit.verify(tmp_path / "two", tokaudit.manifest(tmp_path / "one"))
    assert compared.comparison is not None
    assert not drifts.ok
    with tokaudit.open(tmp_path / "one") as opened:
        shown: list[object] = [
            *(report, *report.results, *report.causes, *report.findings, report.subject),
            *(compared, compared.comparison, *compared.comparison.facets),
            *(compared.comparison.side_by_side, *compared.comparison.traces),
            *(drifts, *drifts, *all_checks(), *report.checks),
            *(opened, opened.subject, opened.spec, opened.repository),
            *opened.representations.all,
            Gate("tokaudit.toml", (GatedSubject("one", report),), report, "error"),
            GatedSubject("one", report),
        ]
        long = {type(each).__name__: len(repr(each)) for each in shown if len(repr(each)) > LONGEST}
    assert long == {}
