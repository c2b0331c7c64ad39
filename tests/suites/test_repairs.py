"""The usual repairs: each names places that a program can change, or says who decides."""

from __future__ import annotations

import json
from pathlib import Path

import tokaudit
from tokaudit.report.model import Finding, Place, Severity
from tokaudit.report.repair import Change, ChangeKind, Decider
from tokaudit_folders.folder import Folder
from tokaudit_suites.baseline.added_tokens import renumbered
from tokaudit_suites.shared.repairs import as_in_base, as_one_of_two, repaired, set_to


def found(*places: Place) -> Finding:
    """A finding that blames the first of these places."""
    return Finding(Severity.ERROR, "it differs", places, cause="differs")


def test_a_number_of_a_gguf_file_is_set_by_its_tool_and_a_text_by_nobody() -> None:
    number = Place("special_roles", "model.gguf", "tokenizer.ggml.eos_token_id", 2)
    repair = repaired(set_to(number, 3))
    assert repair is not None
    assert [each.command for each in repair.changes] == [
        "gguf-set-metadata --force model.gguf tokenizer.ggml.eos_token_id 3"
    ]
    text = Place("pre_tokenizer", "model.gguf", "tokenizer.ggml.pre", "llama-bpe")
    assert repaired(set_to(text, "qwen2")) is None


def test_a_name_of_a_file_cannot_end_the_command_that_it_is_in() -> None:
    place = Place("special_roles", "a'; rm -r ~;.gguf", "tokenizer.ggml.eos_token_id", 2)
    repair = repaired(set_to(place, 3))
    assert repair is not None
    assert "'a'\"'\"'; rm -r ~;.gguf'" in repair.changes[0].command


def test_a_component_is_taken_whole_from_the_base_s_file() -> None:
    mine = Place("merges", "tokenizer.json", "/model/merges/5")
    theirs = Place("merges", "base/tokenizer.json", "/model/merges", outside=True)
    repair = as_in_base(found(mine, theirs))
    assert repair is not None
    (change,) = repair.changes
    assert (change.kind, change.pointer, change.source_pointer, change.from_base) == (
        ChangeKind.TAKE,
        "/model/merges",
        "/model/merges",
        True,
    )


def test_what_only_a_binary_file_states_the_base_decides() -> None:
    mine = Place("merges", "model.gguf", "tokenizer.ggml.merges")
    theirs = Place("merges", "base/model.gguf", "tokenizer.ggml.merges", outside=True)
    repair = as_in_base(found(mine, theirs))
    assert repair is not None
    assert repair.decided_by is Decider.BASE


def test_of_two_files_that_differ_each_can_be_the_one_that_is_right() -> None:
    lines = Place("merges", "merges.txt", "line 1")
    listed = Place("merges", "tokenizer.json", "/model/merges/0")
    repair = as_one_of_two(found(lines, listed))
    assert repair is not None
    assert [(each.wanted_by, each.changes[0].file) for each in repair.choice] == [
        ("a model that expects tokenizer.json", "merges.txt"),
        ("a model that expects merges.txt", "tokenizer.json"),
    ]


def test_two_tokens_that_exchange_their_ids_in_a_list_are_both_still_there(tmp_path: Path) -> None:
    listed = {"2": {"content": "<b>"}, "3": {"content": "<a>"}}
    made = Folder.bpe("xy").added("<a>").added("<b>")
    made.file("tokenizer_config.json", {"added_tokens_decoder": listed}).write(tmp_path / "model")
    with tokaudit.open(tmp_path / "model") as opened:
        changes = list(renumbered(opened.subject, {"<a>": 2, "<b>": 3}))
    at = "/added_tokens_decoder"
    assert changes == [
        Change(ChangeKind.SET, "tokenizer_config.json", f"{at}/3", None, {"content": "<b>"}),
        Change(ChangeKind.SET, "tokenizer_config.json", f"{at}/2", None, {"content": "<a>"}),
    ]


def test_a_word_among_numbers_is_not_guessed_and_a_number_in_quotes_is(tmp_path: Path) -> None:
    made = Folder.bpe("ab").config(vocab_size="many", eos_token_id="1")
    made.write(tmp_path / "model")
    findings = tokaudit.run_check("files/config-types", tmp_path / "model").findings
    repairs = {finding.cause: finding.repair for finding in findings}
    many = repairs["vocab_size"]
    assert many is not None
    assert many.decided_by is Decider.PERSON
    assert json.loads((tmp_path / "model/config.json").read_text())["vocab_size"] == "many"
