"""What the name of a file alone implies is a guess, and makes no error."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit_folders.folder import Folder

OWN = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
CODONS = [a + b + c for a in "ACGU" for b in "ACGU" for c in "ACGU"]
CASED = "".join(f"{each}\n" for each in (*OWN, *CODONS))


@pytest.mark.parametrize(
    ("config", "worth"),
    [({}, "warning"), ({"model_type": "bert"}, "error"), ({"hidden_size": 8}, "warning")],
)
def test_a_cased_list_is_an_error_only_where_a_class_that_lower_cases_is_named(
    tmp_path: Path, config: dict[str, object], worth: str
) -> None:
    folder = Folder().file("vocab.txt", CASED)
    path = (folder.config(**config) if config else folder).write(tmp_path / "a")
    [finding] = tokaudit.audit(path, select=["pipeline/rewritten"]).findings
    assert str(finding.severity) == worth
    assert ("No file names a class" in finding.message) == (worth == "warning")


@pytest.mark.parametrize(("named", "worth"), [(False, "warning"), (True, "error")])
def test_a_cased_copy_next_to_a_list_of_words_needs_a_class_to_be_an_error(
    tmp_path: Path, named: bool, worth: str, processes: None
) -> None:
    words = [*OWN, *"abcdefghijklmnopqrstuvwxyz", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    cased = {"type": "BertNormalizer", "lowercase": False}
    folder = Folder.wordpiece(words).changed(
        normalizer=cased, pre_tokenizer={"type": "BertPreTokenizer"}
    )
    folder = folder.file("vocab.txt", "".join(f"{each}\n" for each in words))
    if named:
        folder = folder.tokenizer_config(tokenizer_class="BertTokenizer")
    path = folder.write(tmp_path / "a")
    report = tokaudit.audit(path, select=["agreement/behaviour"], tier="quick")
    assert [str(each.severity) for each in report.findings if each.cause == "normalizer"] == [worth]
