"""A finding names the file, the pointer and the line that state it, or what implies it."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from places import untrue

import tokaudit
from tokaudit.report.model import Finding, Place, Severity
from tokaudit.report.report import Report
from tokaudit.subject.opening import open_subject
from tokaudit_folders import gguf_files
from tokaudit_reports import github, sarif


def place(report: Report) -> Place:
    """The place that the only finding blames."""
    (finding,) = report.findings
    return finding.places[0]


def bare(folder: Path, sick: ModuleType, **config: Any) -> Path:
    """The vocabulary and merges of a folder, with settings of their own."""
    (folder / "tokenizer.json").unlink()
    (folder / "special_tokens_map.json").unlink()
    sick.write(folder / "tokenizer_config.json", {"tokenizer_class": "GPT2Tokenizer", **config})
    return folder


def test_a_token_of_added_tokens_json_is_blamed_there(folder: Path, sick: ModuleType) -> None:
    bare(folder, sick)
    sick.write(folder / "added_tokens.json", {"<|a|>": 376, "<|a|>b": 377})
    report = tokaudit.audit(folder, tier="quick", select=["special_tokens/overlap"])
    found = place(report)
    assert (found.file, found.pointer, found.line) == ("added_tokens.json", "/<|a|>b", 3)


def test_a_token_that_the_configuration_adds_is_blamed_there(
    folder: Path, sick: ModuleType
) -> None:
    tokens = {"376": {"content": "<|a|>"}, "377": {"content": "<|a|>b"}}
    bare(folder, sick, added_tokens_decoder=tokens)
    report = tokaudit.audit(folder, tier="quick", select=["special_tokens/overlap"])
    found = place(report)
    assert (found.file, found.pointer) == ("tokenizer_config.json", "/added_tokens_decoder/377")


def test_a_stage_that_no_file_states_says_what_implies_it(folder: Path, sick: ModuleType) -> None:
    bare(folder, sick)
    spec = tokaudit.open(folder).spec
    from tokaudit_suites.shared.wording import stage

    found = stage(spec, "pre_tokenizer")
    assert (found.file, found.pointer) == ("vocab.json", "")
    assert found.implied_by == "tokenizer_config.json names GPT2Tokenizer"


def test_a_setting_that_a_file_leaves_out_says_that_the_library_decides(
    folder: Path, sick: ModuleType
) -> None:
    from tokaudit_suites.shared.wording import in_model

    sick.edit(folder, "tokenizer.json", lambda t: t["model"].pop("dropout"))
    found = in_model(tokaudit.open(folder).spec, "dropout")
    assert (found.pointer, found.implied_by) == ("", "the library, as the file leaves the key out")


def test_a_merge_of_a_text_file_has_its_line(folder: Path, sick: ModuleType) -> None:
    bare(folder, sick)
    lines = (folder / "merges.txt").read_text().split("\n")
    lines[5:5] = ["", lines[1]]
    (folder / "merges.txt").write_text("\n".join(lines))
    report = tokaudit.audit(folder, tier="quick", select=["merges/duplicates"])
    assert (place(report).pointer, place(report).line) == ("line 7", 7)


def test_an_entry_of_a_vocabulary_in_lines_has_its_line(tmp_path: Path) -> None:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "a"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    report = tokaudit.audit(tmp_path, tier="quick", select=["vocab/duplicate-entries"])
    assert (place(report).file, place(report).line) == ("vocab.txt", 7)


def test_an_id_that_llama_cpp_supplies_is_said_to_be_its_default(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    tokens = [*(f"t{n}" for n in range(12)), "<|end|>"]
    keys = gguf_files.tokenizer(
        "gpt2",
        tokens,
        merges=(gguf_files.TEXT, ["t 1"]),
        token_type=(gguf_files.I32, [*([1] * 12), 3]),
        pre=(gguf_files.TEXT, "gpt-2"),
    )
    path.write_bytes(gguf_files.gguf(keys))
    report = tokaudit.audit(path, tier="quick", select=["special_tokens/gguf-ends"])
    found = [place for each in report.findings for place in each.places]
    assert {(each.pointer, each.implied_by) for each in found} == {("", "llama.cpp")}


def test_the_line_of_a_pointer_is_in_sarif_and_in_annotations(
    folder: Path, sick: ModuleType
) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(eos_token_id=5))
    report = tokaudit.audit(folder, tier="quick", select=["special_tokens/role-ids"])
    line = (folder / "config.json").read_text().split("\n").index(' "eos_token_id": 5,') + 1
    results = json.loads(sarif.write(report))["runs"][0]["results"]
    regions = [
        location["physicalLocation"]["region"]["startLine"]
        for result in results
        for location in result["locations"]
        if location["physicalLocation"]["artifactLocation"]["uri"].endswith("/config.json")
    ]
    assert set(regions) == {line}
    assert f"/config.json,line={line},title=" in github.write(report)


def test_a_file_of_the_base_is_named_where_it_is(
    folder: Path, sick: ModuleType, processes: None
) -> None:
    base = sick.healthy(folder.parent / "base")
    sick.edit(folder, "tokenizer.json", lambda t: sick.swap(t["model"]["vocab"], 300, 350))
    report = tokaudit.audit(folder, base=base, tier="quick", select=["baseline/vocab"])
    (finding,) = report.findings
    assert [each.outside for each in finding.places] == [False, True]
    uris = [
        location["physicalLocation"]["artifactLocation"]["uri"]
        for location in json.loads(sarif.write(report))["runs"][0]["results"][0]["locations"]
    ]
    assert uris == [f"file://{each}/tokenizer.json" for each in (folder, base)]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (Place("vocab", "vocab.txt"), "vocab.txt# is in no such file"),
        (Place("vocab", "vocab.json", "/added_tokens/96"), "leads nowhere"),
        (Place("vocab", "config.json", "/eos_token_id", line=1), "is not on line 1"),
        (Place("vocab", "config.json", "/eos_token_id"), "has no line"),
        (Place("merges", "merges.txt", "line 9999"), "leads nowhere"),
        (Place("embeddings", "model.safetensors", "nothing"), "leads nowhere"),
        (Place("vocab", "", "/model"), "has a pointer and no file"),
    ],
)
def test_a_place_that_is_not_there_is_seen(folder: Path, wrong: Place, said: str) -> None:
    (found,) = untrue(
        [Finding(Severity.ERROR, "", (wrong,), cause="wrong")], [open_subject(str(folder))]
    )
    assert found.endswith(said)


def test_a_pointer_that_leads_nowhere_is_cut_to_what_is_there(folder: Path) -> None:
    from tokaudit.engine.outcome.lines import with_lines
    from tokaudit.report.model import CheckResult, Status

    place = Place("vocab", "config.json", "/eos_token_id/5/x")
    wrong = Finding(Severity.ERROR, "", (place,), cause="wrong")
    result = CheckResult("a/b", Status.FAILED, findings=(wrong,))
    (placed,) = with_lines([result], [open_subject(str(folder))])
    assert placed.findings[0].places[0].pointer == "/eos_token_id"
