"""What the conversion of a class does to every repository of it is not blamed on one of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import class_folders
import pytest
from real_tokenizers import put

import tokaudit
from tokaudit.report.model import Severity
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_suites.agreement._converted import changed_by_conversion

BAR = "\u2581"
QUOTES = [{"type": "Replace", "pattern": {"String": two}, "content": '"'} for two in ("``", "''")]
RUNS = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
ACCENTS = [{"type": "NFKD"}, {"type": "StripAccents"}]


def converted(folder: Path, *steps: dict[str, Any], kept: str | None = None) -> Path:
    """ALBERT's model, and a tokenizer.json as the conversion of its class writes it."""
    data = class_folders.model("unigram", "pad")
    put(folder / "spiece.model", data)
    put(folder / "tokenizer_config.json", {"tokenizer_class": "AlbertTokenizer"})
    spec = parse_all(open_subject(folder)).parsed[0][1]
    (step,) = spec.normalizer.steps
    charsmap = step.to_json()["precompiled_charsmap"] if kept is None else kept
    maps = [{"type": "Precompiled", "precompiled_charsmap": charsmap}]
    vocab = [[str(spec.pieces[id].value), spec.scores[id]] for id in sorted(spec.pieces)]
    mark = {"type": "Metaspace", "replacement": BAR, "prepend_scheme": "always", "split": True}
    whole = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": [*QUOTES, *steps, *maps, RUNS]},
        "pre_tokenizer": mark,
        "decoder": mark,
        "model": {"type": "Unigram", "unk_id": spec.unk_id, "vocab": vocab},
    }
    put(folder / "tokenizer.json", whole)
    return folder


def changed(folder: Path) -> Callable[[str], bool] | None:
    (_, one), (_, other) = parse_all(open_subject(folder)).parsed
    return changed_by_conversion(one, other)


@pytest.mark.parametrize(
    ("text", "plain", "bare"),
    [
        ("the cat", False, False),
        ("the cat ", True, True),
        ("a\tb", True, True),
        ("``cat''", True, True),
        ("l\u00e0", False, True),
        ("\u0a4c", False, True),
    ],
)
def test_the_texts_that_a_conversion_changes_are_known(
    tmp_path: Path, text: str, plain: bool, bare: bool
) -> None:
    keeps, strips = converted(tmp_path / "a"), converted(tmp_path / "b", *ACCENTS)
    both = changed(keeps), changed(strips)
    assert [each is not None and each(text) for each in both] == [plain, bare]


def test_another_map_of_characters_is_no_conversion(tmp_path: Path) -> None:
    other = base64.b64encode(bytes(8)).decode()
    assert changed(converted(tmp_path, kept=other)) is None


def test_steps_of_another_kind_are_no_conversion(tmp_path: Path) -> None:
    assert changed(converted(tmp_path, {"type": "Strip", "strip_left": True})) is None


def test_what_a_conversion_changes_is_information_with_a_text(
    tmp_path: Path, processes: None
) -> None:
    found = tokaudit.run_check(
        "agreement/behaviour", converted(tmp_path, *ACCENTS), tier="quick"
    ).findings
    assert {each.severity for each in found} == {Severity.INFO}
    assert any("the conversion of this class changes" in each.message for each in found)
    assert all(each.evidence for each in found if "conversion" in each.message)


def test_a_fault_next_to_a_conversion_is_still_an_error(tmp_path: Path, processes: None) -> None:
    folder = converted(tmp_path, *ACCENTS)
    whole = json.loads((folder / "tokenizer.json").read_bytes())
    for entry in whole["model"]["vocab"][20:]:
        entry[1] = -10.0
    put(folder / "tokenizer.json", whole)
    found = tokaudit.run_check("agreement/behaviour", folder, tier="quick").findings
    assert Severity.ERROR in {each.severity for each in found}


@pytest.mark.parametrize(("tab", "reported"), [("<0x09>", 0), ("\t", 0), ("\x08", 2)])
def test_a_tab_where_the_model_has_its_byte_is_the_same_token(
    tmp_path: Path, tab: str, reported: int
) -> None:
    put(tmp_path / "tokenizer.model", class_folders.model("bpe", "gemma", **class_folders.AS_IT_IS))
    spec = parse_all(open_subject(tmp_path)).parsed[0][1]
    texts = {id: str(piece.value) for id, piece in spec.pieces.items()}
    vocab = {tab if text == "<0x09>" else text: id for id, text in texts.items()}
    Folder.bpe(vocab).write(tmp_path)
    assert len(tokaudit.run_check("agreement/vocab", tmp_path).findings) == reported


def test_a_flag_of_the_class_that_another_role_answers_is_no_contradiction(tmp_path: Path) -> None:
    around = {"special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [0], "tokens": ["[CLS]"]}}}
    first = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A"}}]
    added = [{"id": 0, "content": "[CLS]", "special": True}]
    both = [*first, {"Sequence": {"id": "B"}}]
    post = {"type": "TemplateProcessing", "single": first, "pair": both, **around}
    stages = {"added_tokens": added, "post_processor": post}
    Folder.bpe(["[CLS]", "a"]).changed(**stages).write(tmp_path)
    roles = {"bos_token": "[CLS]", "add_bos_token": False}
    for settings, reported in ((roles, 1), ({**roles, "cls_token": "[CLS]"}, 0)):
        put(tmp_path / "tokenizer_config.json", settings)
        found = tokaudit.run_check("special_tokens/post-processor", tmp_path).findings
        assert len(found) == reported


def test_a_token_that_plays_a_role_is_special_whatever_its_flags_say(tmp_path: Path) -> None:
    end = {"content": "</s>", "special": False, "lstrip": True, "rstrip": True}
    settings = {"tokenizer_class": "ByT5Tokenizer", "eos_token": "</s>"}
    put(tmp_path / "tokenizer_config.json", {**settings, "added_tokens_decoder": {"1": end}})
    assert tokaudit.run_check("special_tokens/eos-is-special", tmp_path).findings == ()


@pytest.mark.parametrize(
    ("before", "after", "causes"), [(["<s>"], [], []), ([], ["<s>"], ["moved"])]
)
def test_a_token_that_begins_texts_is_not_added_after_them(
    tmp_path: Path, before: list[str], after: list[str], causes: list[str]
) -> None:
    def special(token: str) -> dict[str, Any]:
        return {"SpecialToken": {"id": token, "type_id": 0}}

    texts = [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}]
    post = {
        "type": "TemplateProcessing",
        "single": [*map(special, before), texts[0], *map(special, after)],
        "pair": [*map(special, before), *texts, *map(special, after)],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
    }
    added = [{"id": 1, "content": "<s>", "special": True}]
    Folder.bpe("a").changed(added_tokens=added, post_processor=post).write(tmp_path)
    put(tmp_path / "tokenizer_config.json", {"bos_token": "<s>", "eos_token": "</s>"})
    found = tokaudit.run_check("special_tokens/post-processor", tmp_path).findings
    assert [each.cause for each in found] == causes


@pytest.mark.parametrize(("listed", "causes"), [(True, []), (False, ["none listed", "unknown"])])
def test_a_list_of_added_tokens_that_was_emptied_is_said(
    tmp_path: Path, listed: bool, causes: list[str]
) -> None:
    added = [{"id": 0, "content": "</s>", "special": True}] if listed else []
    Folder.bpe({"</s>": 0, "a": 1}).changed(added_tokens=added).write(tmp_path)
    stated = {"0": {"content": "</s>", "special": True}}
    put(tmp_path / "tokenizer_config.json", {"eos_token": "</s>", "added_tokens_decoder": stated})
    checks = ("special_tokens/eos-is-special", "agreement/added-tokens")
    found = [each for check in checks for each in tokaudit.run_check(check, tmp_path).findings]
    assert [each.cause for each in found] == causes
    assert {each.severity for each in found} <= {Severity.WARNING}
