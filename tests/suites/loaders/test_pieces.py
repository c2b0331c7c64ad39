"""SentencePiece models without a tokenizer.json: who gives their ids, and who does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from class_folders import model

import tokaudit
from tokaudit.report.model import Finding
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder

BYTES = {"byte_fallback": True}
PLAIN = {**BYTES, "normalization_rule_name": "identity", "remove_extra_whitespaces": False}


def found(
    path: Path, data: bytes, name: str = "tokenizer.model", **settings: object
) -> list[Finding]:
    folder = Folder.sentencepiece(data, name).tokenizer_config(**settings).write(path)
    return list(tokaudit.run_check("loaders/pieces", folder, tier="quick").findings)


def test_a_character_map_that_both_versions_leave_out_is_an_error_with_a_text(
    tmp_path: Path, processes: None
) -> None:
    folds = model("bpe", normalization_rule_name="nmt_nfkc_cf", **BYTES)
    [finding] = found(tmp_path, folds, tokenizer_class="LlamaTokenizer")
    assert str(finding.severity) == "error"
    assert f"LlamaTokenizerFast of transformers {FOUR} (emulated)" in finding.message
    assert f"LlamaTokenizer of transformers {FIVE} (emulated)" in finding.message
    assert "both leave out the character map of the model" in finding.message
    assert "The ids of the two loaders differ for" in finding.message
    assert finding.evidence[0].text == "A"


def test_a_model_without_a_map_is_no_more_than_information(tmp_path: Path, processes: None) -> None:
    findings = found(tmp_path, model("bpe", **PLAIN), tokenizer_class="LlamaTokenizer")
    assert {str(each.severity) for each in findings} <= {"info"}


@pytest.mark.parametrize(("first", "severities"), [("fairseq", ["warning"]), ("pad", [])])
def test_an_unknown_token_that_one_version_looks_for_elsewhere_is_a_warning(
    tmp_path: Path, processes: None, first: str, severities: list[str]
) -> None:
    findings = found(
        tmp_path, model("unigram", first), "spiece.model", tokenizer_class="T5Tokenizer"
    )
    said = [each for each in findings if str(each.severity) != "info"]
    assert [str(each.severity) for each in said] == severities
    assert all(f"{FOUR} (emulated) produces the ids of " in each.message for each in said)


def test_a_difference_of_the_only_version_that_has_a_record_is_a_warning(
    tmp_path: Path, processes: None
) -> None:
    folds = model("bpe", normalization_rule_name="nmt_nfkc_cf", **BYTES)
    barthez = "BarthezTokenizer"
    [finding] = found(tmp_path, folds, "sentencepiece.bpe.model", tokenizer_class=barthez)
    assert str(finding.severity) == "warning"
    assert f"BarthezTokenizerFast of transformers {FOUR} (emulated)" in finding.message
    assert f"tokaudit has no record of what transformers {FIVE} builds." in finding.message


def test_a_tokenizer_json_decides_and_no_model_is_built(tmp_path: Path, processes: None) -> None:
    folder = Folder.bpe("ab", ["a b"]).file("tokenizer.model", model("bpe", **PLAIN))
    folder = folder.tokenizer_config(tokenizer_class="LlamaTokenizer")
    result = tokaudit.run_check("loaders/pieces", folder.write(tmp_path), tier="quick")
    assert str(result.status) == "not_applicable"
