"""A declared loss excuses what it explains and nothing else, and is shown by a text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
import tokaudit_suites.throughput
from tokaudit.report.model import CheckResult, Severity, Status
from tokaudit_faults.folders.checkpoint import forget_the_unknown_token
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_suites.shared.changed_words import letters, same_words

YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
CHECKS = ("round_trip/text", "round_trip/declared-loss", "pipeline/changed-words")
Json = dict[str, Any]


@pytest.fixture
def data() -> Json:
    return json.loads(YARDSTICK.read_text())  # type: ignore[no-any-return]


def results(folder: Path, data: Json) -> dict[str, CheckResult]:
    (folder / "tokenizer.json").write_text(json.dumps(data))
    found = tokaudit.audit(folder, select=[*CHECKS], tier="quick").results
    return {each.check: each for each in found}


def replaced(pattern: str, content: str, kind: str = "String") -> Json:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def in_order(*steps: Json) -> Json:
    return {"type": "Sequence", "normalizers": list(steps)}


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        (replaced("not ", ""), "'not ' is read as ''"),
        (replaced(r"\b(?:never|no)\b", "", "Regex"), "'no' is read as ''"),
        (replaced("cat", "dog"), "'cat' is read as 'dog'"),
        (in_order({"type": "NFC"}, replaced("cat", "")), "'cat' is read as ''"),
        ({"type": "Prepend", "prepend": "hello "}, "is read as 'hello "),
    ],
    ids=str,
)
def test_a_rule_that_changes_words_is_a_warning_with_a_text(
    tmp_path: Path, data: Json, step: Json, shown: str, processes: None
) -> None:
    [found] = results(tmp_path, {**data, "normalizer": step})["pipeline/changed-words"].findings
    assert found.severity is Severity.WARNING and shown in found.message


def test_a_unigram_in_the_byte_alphabet_is_read_back_before_its_words_are_compared(
    tmp_path: Path, processes: None
) -> None:
    alphabet = [(c, -9.0) for c in BYTE_OF]
    words = [(f"\u0120{word}", -3.0) for word in ("one", "two", "three", "ya", "wa")]
    folder = Folder.unigram([("<unk>", 0.0), *alphabet, *words], unk_id=0)
    step = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    strips = [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]
    made = {**folder.tokenizer, "normalizer": in_order(*strips), "pre_tokenizer": step}
    (tmp_path / "tokenizer.json").write_text(json.dumps({**made, "decoder": step}))
    checks = ["pipeline/rewritten", "pipeline/changed-words"]
    assert tokaudit.audit(tmp_path, select=checks, tier="quick").findings == ()


def test_a_cut_that_removes_words_is_a_warning(tmp_path: Path, data: Json, processes: None) -> None:
    cut = {"type": "Split", "pattern": {"String": "not"}, "behavior": "Removed", "invert": False}
    cuts = {"type": "Sequence", "pretokenizers": [cut, data["pre_tokenizer"]]}
    [found] = results(tmp_path, {**data, "pre_tokenizer": cuts})["pipeline/changed-words"].findings
    assert "The pre-tokenizer's Split changes words: 'not' is read as ''" in found.message


@pytest.mark.parametrize(
    "step",
    [
        {"type": "Lowercase"},
        {"type": "NFKC"},
        {"type": "Nmt"},
        in_order({"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}),
        {"type": "BertNormalizer"},
        replaced(" ", "\u2581"),
        replaced(r"\s+", " ", "Regex"),
        replaced("``", '"'),
        replaced("[0-9]", "0", "Regex"),
        replaced("\u0629", "\u0647"),  # two Arabic letters that are often written as one
    ],
    ids=str,
)
def test_what_published_normalizers_do_is_no_change_of_words(
    tmp_path: Path, data: Json, step: Json, processes: None
) -> None:
    found = results(tmp_path, {**data, "normalizer": step})
    assert found["pipeline/changed-words"].findings == ()
    shown = found["round_trip/declared-loss"].findings
    assert not shown or found["round_trip/text"].status is not Status.FAILED


def test_a_declared_rule_is_named_where_texts_are_counted_and_shown_where_it_is_declared(
    tmp_path: Path, data: Json, processes: None
) -> None:
    found = results(tmp_path, {**data, "normalizer": replaced("!?", "?")})
    title = found["round_trip/text"].measurements[0].title
    assert title == "Texts that change in a round trip, as Replace in the normalizer replaces text"
    [shown] = found["round_trip/declared-loss"].findings
    assert "what Replace looks for ('!?' is read as '?')" in shown.message


def test_a_loss_that_no_declared_step_explains_is_an_error_next_to_one_that_is(
    tmp_path: Path, data: Json, processes: None
) -> None:
    lower = {**data, "normalizer": {"type": "Lowercase"}}
    assert results(tmp_path, lower)["round_trip/text"].status is Status.PASSED
    lost = in_order(replaced("e", "a"))
    decoder = {"type": "Sequence", "decoders": [data["decoder"], {**lost["normalizers"][0]}]}
    [found] = results(tmp_path, {**lower, "decoder": decoder})["round_trip/text"].findings
    assert found.severity is Severity.ERROR
    assert "no declared loss explains this (Lowercase in the normalizer" in found.message


def test_characters_that_get_no_id_are_one_finding_and_texts_with_them_no_other(
    tmp_path: Path, processes: None
) -> None:
    forget_the_unknown_token(tmp_path)
    report = tokaudit.audit(tmp_path, select=[*CHECKS, "round_trip/vanishes"], tier="quick")
    found = [each.identity for each in report.findings if each.severity is Severity.ERROR]
    assert found == ["round_trip/vanishes:no-way-to-an-id"]


def test_texts_with_a_byte_that_has_no_entry_are_one_finding_and_no_fault_of_the_decoder(
    tmp_path: Path, data: Json, processes: None
) -> None:
    line_end = data["model"]["vocab"].pop("Ċ")
    data["model"]["merges"] = [each for each in data["model"]["merges"] if "Ċ" not in each]
    data["model"]["vocab"] = {t: i for t, i in data["model"]["vocab"].items() if "Ċ" not in t}
    (tmp_path / "tokenizer.json").write_text(json.dumps(data))
    report = tokaudit.audit(tmp_path, select=[*CHECKS, "vocab/byte-coverage"], tier="quick")
    found = [each.identity for each in report.findings if each.severity is Severity.ERROR]
    assert line_end and found == ["vocab/byte-coverage:missing"]


def test_a_mark_before_a_word_is_no_id_of_its_character(tmp_path: Path, processes: None) -> None:
    folder = Folder.bpe("ab▁")
    step = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}
    data = {**folder.tokenizer, "pre_tokenizer": step, "decoder": step}
    (tmp_path / "tokenizer.json").write_text(json.dumps(data))
    report = tokaudit.audit(tmp_path, select=[*CHECKS, "round_trip/vanishes"], tier="quick")
    found = [each.identity for each in report.findings if each.severity is Severity.ERROR]
    assert found == ["round_trip/vanishes:no-way-to-an-id"]


def test_a_wordpiece_without_a_decoder_gets_one(tmp_path: Path, processes: None) -> None:
    words = Folder.wordpiece(["[UNK]", *"abcdefgh", *(f"##{c}" for c in "abcdefgh")])
    cut = {"type": "BertPreTokenizer"}
    data = {**words.tokenizer, "pre_tokenizer": cut, "normalizer": {"type": "Lowercase"}}
    [found] = results(tmp_path, data)["round_trip/text"].findings
    assert found.repair is not None
    [change] = found.repair.changes
    wanted = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    assert (change.pointer, change.wanted) == ("/decoder", wanted)
    assert results(tmp_path, {**data, "decoder": wanted})["round_trip/text"].findings == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [("Caf\u00e9", "cafe"), ("\uff21\u2460", "a1"), ("\u00df", "SS"), ("a-b", "ab")],
)
def test_case_marks_width_and_punctuation_are_not_words(one: str, other: str) -> None:
    assert same_words(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("not it", "it"), ("a", "b"), ("\u0430", "a"), ("\u4e00", "\u4e01"), ("a", "")],
)
def test_another_letter_is_another_word(one: str, other: str) -> None:
    assert letters(one) != letters(other)
