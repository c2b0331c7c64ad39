"""A report that counts with numbers of hundreds of digits is refused, and never crashes a writer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.reading import decode_report
from tokaudit_folders.folder import Folder
from tokaudit_reports.html import WRITER

LONG = 10**400


@pytest.fixture
def report(tmp_path: Path) -> tokaudit.Report:
    Folder.bpe("ab", ["a b"]).config(vocab_size=LONG).write(tmp_path)
    return tokaudit.audit(tmp_path, tier="quick", select=["files"])


def test_a_setting_of_hundreds_of_digits_is_on_the_page(report: tokaudit.Report) -> None:
    page = WRITER.write(decode_report(report.to_json()))
    assert "vocab_size" in page


def test_a_size_of_hundreds_of_digits_is_refused_by_name(report: tokaudit.Report) -> None:
    stored = json.loads(report.to_json())
    stored["subject"]["files"][0]["size"] = LONG
    with pytest.raises(UnreadableError, match="size is too large a number, of 401 digits"):
        decode_report(json.dumps(stored))
