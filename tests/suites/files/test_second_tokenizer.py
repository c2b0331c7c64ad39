"""Several tokenizers in one folder: loaders take one, and each of the others is named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import class_folders
import pytest
from real_tokenizers import put

import tokaudit
import tokaudit_suites.throughput
from tokaudit.report.model import Severity
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit_folders import gguf_files
from tokaudit_folders.folder import Folder

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


def small(number: int) -> bytes:
    """A `tokenizer.json` unlike that of another number."""
    return Folder.bpe(["a", f"{number}"]).changed(added_tokens=[]).text().encode()


def gguf(tokens: Sequence[str]) -> bytes:
    types = (gguf_files.I32, [gguf_files.NORMAL] * len(tokens))
    merges = (gguf_files.TEXT, ["a b"])
    return gguf_files.gguf(gguf_files.tokenizer("gpt2", tokens, token_type=types, merges=merges))


def said(report: tokaudit.Report) -> list[str]:
    return [finding.message for finding in report.findings]


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
    assert len(named(class_folders.of_class(every_class()[name], tmp_path / "m"))) == 1


def test_another_tokenizer_under_a_name_of_its_own_is_a_part_with_a_verdict(
    tmp_path: Path,
    processes: None,
) -> None:
    put(tmp_path / "m.model", ONE)
    put(tmp_path / "tokenizer.json", JSON)
    report = tokaudit.audit(tmp_path, select=["agreement", "files", "vocab"], tier="quick")
    verdicts = [(part.name, str(part.verdict)) for part in report.parts]
    assert verdicts == [(".", "pass"), ("m.model", "pass")]
    (named,) = report.result("files/second-tokenizer").findings
    assert named.message == (
        "m.model is a second tokenizer here, audited as m.model; loaders read tokenizer.json."
    )


def test_a_broken_second_tokenizer_fails_by_itself(tmp_path: Path) -> None:
    put(tmp_path / "tokenizer.json", JSON)
    put(tmp_path / "old.json", JSON.replace('"Ġthe"'.encode(), b'"Gthe"'))
    report = tokaudit.audit(tmp_path, select=["merges/parts-exist"])
    assert [(part.name, str(part.verdict)) for part in report.parts] == [
        (".", "pass"),
        ("old.json", "fail"),
    ]


def test_a_second_tokenizer_has_neither_the_config_nor_the_weights_of_the_first(
    tmp_path: Path,
) -> None:
    put(tmp_path / "a.model", OTHER)
    put(tmp_path / "config.json", b'{"vocab_size": 5}')
    put(tmp_path / "tokenizer.model", ONE)
    report = tokaudit.audit(tmp_path, select=["embeddings/config-vocab-size"])
    failed = [(part.name, str(part.verdict)) for part in report.parts]
    assert failed == [(".", "fail"), ("a.model", "unverifiable")]


def test_the_same_bytes_under_another_name_are_named_and_not_audited_again(tmp_path: Path) -> None:
    put(tmp_path / "tokenizer.model", ONE)
    put(tmp_path / "tokenizer.model.v3", ONE)
    report = tokaudit.audit(tmp_path, select=["files"], tier="quick")
    (named,) = report.result("files/second-tokenizer").findings
    assert report.parts == () and "is the same bytes as tokenizer.model" in named.message


def test_where_too_many_are_in_one_folder_the_rest_is_named_as_not_audited(tmp_path: Path) -> None:
    for number in range(25):
        put(tmp_path / f"m{number:02}.json", small(number))
    report = tokaudit.audit(tmp_path, select=["files/second-tokenizer"])
    assert len(report.parts) == 24
    assert "m24.json is a second tokenizer here, not audited" in said(report)[-1]


def test_a_quantised_copy_with_another_token_is_found_by_its_first(tmp_path: Path) -> None:
    put(tmp_path / "m-q4.gguf", gguf(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]))
    put(tmp_path / "m-q8.gguf", gguf(["a", "b", "c", "d", "e", "f", "g", "h", "i", "z"]))
    report = tokaudit.audit(tmp_path, select=["agreement/copies"])
    assert said(report) == [
        "1 id has another token in m-q8.gguf than in the main tokenizer: id 9 is 'z' instead of 'j'."
    ]


def test_the_settings_of_a_folder_are_not_held_against_its_second_tokenizer(
    tmp_path: Path, processes: None
) -> None:
    put(tmp_path / "m.model", ONE)
    put(tmp_path / "tokenizer.json", JSON)
    named = {"tokenizer_class": "TinyTokenizer", "cls_token": "<cls>"}
    put(tmp_path / "tokenizer_config.json", named)
    report = tokaudit.audit(tmp_path, select=["loaders/loads", "config/tokens"], tier="quick")
    found = {(result.part, result.check) for result in report.results if result.findings}
    assert found == {(".", "loaders/loads"), (".", "config/tokens")}
