"""Several tokenizers in one folder: loaders take one, and each of the others is named."""

from __future__ import annotations

from pathlib import Path

import class_folders
import pytest
from real_tokenizers import put

import tokaudit
import tokaudit_suites.throughput
from tokaudit.report.model import Severity
from tokaudit.subject.classes.table import rows

YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
ONE, OTHER = class_folders.model(), class_folders.model("unigram", "pad")
JSON = YARDSTICK.read_bytes()


def named(folder: Path) -> list[str]:
    """The main file, and those that are named as second."""
    with tokaudit.open(folder) as opened:
        main = opened.spec.files[0]
    found = tokaudit.run_check("files/second-tokenizer", folder).findings
    assert all(each.severity is Severity.INFO for each in found)
    return [main, *(each.places[0].file for each in found)]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.json": JSON, "tokenizer.json": JSON}, ["tokenizer.json", "a.json"]),
        ({"a.model": OTHER, "tokenizer.model": ONE}, ["tokenizer.model", "a.model"]),
        ({"source.spm": ONE, "target.spm": OTHER}, ["source.spm"]),  # its own part: test_sides.py
        ({"a.json": JSON, "b.json": JSON}, ["a.json", "b.json"]),
        ({"m.model": ONE, "tokenizer.json": JSON}, ["tokenizer.json", "m.model"]),
        ({"tokenizer.json": JSON}, ["tokenizer.json"]),
    ],
)
def test_the_usual_name_is_taken_and_the_others_are_named(
    tmp_path: Path, files: dict[str, bytes], expected: list[str]
) -> None:
    for name, data in files.items():
        put(tmp_path / name, data)
    assert named(tmp_path) == expected


@pytest.mark.parametrize("name", ["MarianTokenizer", "FSMTTokenizer"])
def test_the_files_of_both_sides_of_a_class_are_its_own(tmp_path: Path, name: str) -> None:
    assert len(named(class_folders.of_class(rows()[name], tmp_path / "m"))) == 1


def test_another_tokenizer_under_a_name_of_its_own_is_no_copy(tmp_path: Path) -> None:
    put(tmp_path / "m.model", ONE)
    put(tmp_path / "tokenizer.json", JSON)
    report = tokaudit.audit(tmp_path, select=["agreement", "files"], tier="quick")
    assert report.errors == ()
    assert "is another tokenizer" in report.result("files/second-tokenizer").findings[0].message
