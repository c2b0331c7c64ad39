"""A text that does not come back is found, with what it loses, and declared losses are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
import tokaudit_suites.throughput
from tokaudit.words import CheckResult, Status

YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"


@pytest.fixture
def data() -> dict[str, object]:
    return json.loads(YARDSTICK.read_text())  # type: ignore[no-any-return]


def result_of(folder: Path, data: dict[str, object], check: str) -> CheckResult:
    (folder / "tokenizer.json").write_text(json.dumps(data))
    (result,) = tokaudit.audit(folder, select=[check], tier="quick").results
    return result


def test_a_healthy_byte_level_tokenizer_loses_nothing(
    tmp_path: Path, data: dict[str, object]
) -> None:
    assert result_of(tmp_path, data, "round_trip/text").status is Status.PASSED


def test_a_removed_decoder_is_blamed_with_a_minimal_text(
    tmp_path: Path, data: dict[str, object]
) -> None:
    result = result_of(tmp_path, {**data, "decoder": None}, "round_trip/text")
    (finding,) = result.findings
    assert result.status is Status.FAILED
    assert finding.places[0].component == "decoder"
    assert len(finding.evidence[0].text or "") == 1


def test_a_declared_lower_casing_is_a_promise_and_no_loss(
    tmp_path: Path, data: dict[str, object]
) -> None:
    result = result_of(tmp_path, {**data, "normalizer": {"type": "Lowercase"}}, "round_trip/text")
    assert result.status is Status.NOT_APPLICABLE
    assert "declares a loss: Lowercase" in result.reason


def test_a_declared_normal_form_is_taken_into_account(
    tmp_path: Path, data: dict[str, object]
) -> None:
    result = result_of(tmp_path, {**data, "normalizer": {"type": "NFC"}}, "round_trip/text")
    assert result.status is Status.PASSED


def test_a_pre_tokenizer_that_panics_is_an_error_with_its_words(
    tmp_path: Path, data: dict[str, object]
) -> None:
    broken = {**data, "pre_tokenizer": {"type": "FixedLength", "length": 0}}
    (finding,) = result_of(tmp_path, broken, "round_trip/encodes").findings
    assert "chunk size must be non-zero" in finding.message


def test_two_vocabularies_under_one_encoder_name_differ_with_a_minimal_text(
    tmp_path: Path, data: dict[str, object]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    flags = {"add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    changed = {**data, "pre_tokenizer": {"type": "ByteLevel", **flags}}
    (other / "tokenizer.json").write_text(json.dumps(changed))
    (tmp_path / "tokenizer.json").write_text(json.dumps(data))
    report = tokaudit.audit(tmp_path / "tokenizer.json", against=str(other), tier="quick")
    assert report.comparison is not None and report.comparison.relation == "different"
    assert report.comparison.minimal is not None and len(report.comparison.minimal.text or "") == 1
