"""A text that does not come back is found, with what it loses, and declared losses are not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
import tokaudit_suites.throughput
from tokaudit.engine.needs import Probes
from tokaudit.report.model import CheckResult, Severity, Status
from tokaudit.runtimes.protocol import Encoding
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import TokenizerSpec

Call = Callable[..., list[Any]]
YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"


@pytest.fixture
def data() -> dict[str, object]:
    return json.loads(YARDSTICK.read_text())  # type: ignore[no-any-return]


def result_of(folder: Path, data: dict[str, object], check: str) -> CheckResult:
    (folder / "tokenizer.json").write_text(json.dumps(data))
    (result,) = tokaudit.audit(folder, select=[check], tier="quick").results
    return result


def test_a_healthy_byte_level_tokenizer_loses_nothing(
    tmp_path: Path, data: dict[str, object], processes: None
) -> None:
    assert result_of(tmp_path, data, "round_trip/text").status is Status.PASSED


def test_a_removed_decoder_is_blamed_with_a_minimal_text(
    tmp_path: Path, data: dict[str, object], processes: None
) -> None:
    result = result_of(tmp_path, {**data, "decoder": None}, "round_trip/text")
    (finding,) = result.findings
    assert result.status is Status.FAILED
    assert finding.places[0].component == "decoder"
    assert len(finding.evidence[0].text or "") == 1


def test_a_declared_lower_casing_is_a_promise_and_no_loss(
    tmp_path: Path, data: dict[str, object], processes: None
) -> None:
    result = result_of(tmp_path, {**data, "normalizer": {"type": "Lowercase"}}, "round_trip/text")
    assert result.status is Status.PASSED
    assert "Lowercase in the normalizer" in result.measurements[0].title


def test_a_declared_normal_form_is_taken_into_account(
    tmp_path: Path, data: dict[str, object], processes: None
) -> None:
    result = result_of(tmp_path, {**data, "normalizer": {"type": "NFC"}}, "round_trip/text")
    assert result.status is Status.PASSED


def test_a_pre_tokenizer_that_panics_is_an_error_with_its_words(
    tmp_path: Path, data: dict[str, object], processes: None
) -> None:
    broken = {**data, "pre_tokenizer": {"type": "FixedLength", "length": 0}}
    (finding,) = result_of(tmp_path, broken, "round_trip/encodes").findings
    assert "chunk size must be non-zero" in finding.message


def test_two_vocabularies_under_one_encoder_name_differ_with_a_minimal_text(
    tmp_path: Path, data: dict[str, object], processes: None
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


class Scripted:
    """A library that gives the offsets it was told to give."""

    capabilities = frozenset({"encode", "offsets"})

    def __init__(self, offsets: tuple[tuple[int, int], ...]) -> None:
        self._offsets = offsets

    def encode(self, texts: tuple[str, ...], options: object) -> list[Encoding]:
        return [Encoding(tuple(range(len(self._offsets))), self._offsets) for _ in texts]


@pytest.mark.parametrize(
    "offsets",
    [((0, 1), (1, 9)), ((1, 2), (0, 1)), ((0, 2), (2, 1))],
    ids=["beyond the text", "backwards", "an end before its start"],
)
def test_offsets_that_cannot_be_true_are_a_warning_with_the_text(
    call: Call, letters: TokenizerSpec, offsets: tuple[tuple[int, int], ...]
) -> None:
    probes = Probes(("abc",), "by hand")
    measured, finding = call("round_trip/offsets", letters, Scripted(offsets), probes)
    assert (measured.value, finding.severity) == (1, Severity.WARNING)
    assert "'abc' gets" in finding.message and finding.evidence[0].text == "abc"


def test_offsets_that_share_a_character_are_fine(call: Call, letters: TokenizerSpec) -> None:
    probes, upstream = Probes(("é",), "by hand"), Scripted(((0, 1), (0, 1)))
    assert [m.value for m in call("round_trip/offsets", letters, upstream, probes)] == [0]


def test_an_empty_interval_of_a_first_space_is_fine(call: Call, letters: TokenizerSpec) -> None:
    probes, upstream = Probes(("a\nb",), "by hand"), Scripted(((0, 1), (2, 2), (1, 2), (2, 3)))
    assert [m.value for m in call("round_trip/offsets", letters, upstream, probes)] == [0]


BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
MARKED = {
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    },
    "model": Folder.bpe([*BYTES, "▁", "a"], byte_fallback=True).tokenizer["model"],
}


def test_texts_that_are_one_by_a_prefix_space_are_counted_and_shown(
    tmp_path: Path, processes: None
) -> None:
    result = result_of(tmp_path, dict(MARKED), "round_trip/text")
    (finding,) = result.findings
    assert (result.status, finding.severity) == (Status.PASSED, Severity.INFO)
    text, other = (evidence.text or "" for evidence in finding.evidence)
    assert text != other and text.removeprefix(" ") == other.removeprefix(" ")
    assert f"{text!r} and {other!r} have the same ids" in finding.message
    figures = {each.key: each.value for each in result.measurements}
    assert figures["round_trip/texts_sharing_ids"] > 0


def test_a_text_that_loses_its_first_space_is_one_that_does_not_come_back(
    tmp_path: Path, processes: None
) -> None:
    result = result_of(tmp_path, dict(MARKED), "round_trip/text")
    figures = {each.key: each.value for each in result.measurements}
    assert figures["round_trip/texts_changed"] > 0


def test_no_text_of_a_healthy_byte_level_tokenizer_has_the_ids_of_another(
    tmp_path: Path, data: dict[str, object], processes: None
) -> None:
    result = result_of(tmp_path, data, "round_trip/text")
    figures = {each.key: (each.value, each.n > 0) for each in result.measurements}
    assert figures["round_trip/texts_sharing_ids"] == (0, True)
    assert result.findings == ()
