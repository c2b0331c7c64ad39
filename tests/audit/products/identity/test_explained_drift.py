"""`verify` says what changed, shows the first text, and knows what is only written differently."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import tokaudit
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.unicode_tables import table

pytestmark = pytest.mark.usefixtures("processes")

Command = Callable[..., "CompletedProcess[str]"]
LOWER = {"type": "Lowercase"}


class Subject:
    """A tokenizer of letters with a config next to it, which can be written anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        letters = [chr(code) for code in range(0x21, 0x7F)]
        tokens = [*letters, " ", "<s>", "ab", "abc", "dd"]
        vocab = {token: id for id, token in enumerate(tokens)}
        merges = [["a", "b"], ["ab", "c"], ["d", "d"]]
        stages = {"normalizer": None, "pre_tokenizer": None, "decoder": {"type": "Fuse"}}
        self.whole: dict[str, Any] = dict(Folder.bpe(vocab, merges).changed(**stages).tokenizer)
        self.config: dict[str, Any] = {"bos_token": "<s>", "padding_side": "left"}
        self.save()

    def save(self) -> None:
        (self.path / "tokenizer.json").write_text(json.dumps(self.whole))
        (self.path / "tokenizer_config.json").write_text(json.dumps(self.config))

    def weights(self, rows: int) -> None:
        entry = {"dtype": "F16", "shape": [rows, 2], "data_offsets": [0, rows * 4]}
        head = json.dumps({"model.embed_tokens.weight": entry}).encode()
        data = struct.pack("<Q", len(head)) + head + bytes(rows * 4)
        (self.path / "model.safetensors").write_bytes(data)


@pytest.fixture
def folder(tmp_path: Path) -> Subject:
    (tmp_path / "subject").mkdir()
    return Subject(tmp_path / "subject")


def gated(folder: Subject, manifest: dict[str, Any]) -> list[str]:
    return [drift.name for drift in tokaudit.verify(folder.path, manifest) if drift.gated]


def test_merges_in_an_order_that_no_text_can_tell_are_no_drift(
    folder: Subject, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    made = tmp_path / "manifest.json"
    assert tokaudit_in_fork("manifest", folder.path, "--out", made).returncode == 0
    merges = folder.whole["model"]["merges"]
    folder.whole["model"]["merges"] = [merges[0], merges[2], merges[1]]
    folder.save()
    done = tokaudit_in_fork("verify", folder.path, made)
    assert done.returncode == 0
    assert done.stderr == (f"PASS  {folder.path}: written differently, proved the same: no drift\n")
    assert "note: identity merges-listed-v1: was" in done.stdout
    assert done.stdout.count("; written differently, proved the same\n") == 2


def test_a_drift_shows_the_shortest_probe_whose_ids_changed(
    folder: Subject, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    made = tmp_path / "manifest.json"
    tokaudit_in_fork("manifest", folder.path, "--out", made)
    folder.whole["normalizer"] = LOWER
    folder.save()
    done = tokaudit_in_fork("verify", folder.path, made)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "  None became Lowercase" in lines
    at = next(i for i, line in enumerate(lines) if "first text whose ids changed" in line)
    assert lines[at] == "  the first text whose ids changed: 'Hello world'"
    assert lines[at + 1].startswith(
        "    was: 'H' (39) 'e' (68) 'l' (75) 'l' (75) 'o' (78) ' ' (94)"
    )
    assert lines[at + 2].startswith("    is: 'h' (71) 'e' (68) 'l' (75) 'l' (75) 'o' (78) ' ' (94)")


def test_a_merge_that_no_probe_shows_is_searched_with_the_base(
    folder: Subject, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    made, base = tmp_path / "manifest.json", tmp_path / "base"
    tokaudit_in_fork("manifest", folder.path, "--out", made)
    base.mkdir()
    Subject(base)
    folder.whole["model"]["merges"].pop()
    folder.save()
    alone = tokaudit_in_fork("verify", folder.path, made)
    assert alone.returncode == 1
    assert "drift: identity merges-canonical-v1: was" in alone.stdout
    assert alone.stdout.endswith("the ids of no probe differ; --base OLD compares in full\n")
    full = tokaudit_in_fork("verify", folder.path, made, "--base", base)
    assert full.returncode == 1 and "text: “dd”" in full.stdout
    comparison = tokaudit.verify(folder.path, made, base=base).comparison
    assert comparison is not None and comparison.compared == (str(base), str(folder.path))
    assert tokaudit.verify(base, made, base=base).comparison is None  # nothing has drifted


def test_the_manifest_holds_what_the_files_come_to(folder: Subject) -> None:
    folder.weights(100)
    facts = tokaudit.manifest(folder.path)["predicate"]["facts"]
    derived = {key: value for key, value in facts.items() if key.startswith("tokaudit#")}
    assert derived == {
        "tokaudit#vocabulary/size": 99,
        "tokaudit#vocabulary/entries": 99,
        "tokaudit#role/bos_token": ["<s>", 95],
        "tokaudit#padding_side": "left",
        "tokaudit#roles/unset": ["eos", "pad", "unk"],
        "tokaudit#vocabulary/reserved": 0,
        "tokaudit#digits/alone": 10,
        "tokaudit#digits/longest": 1,
        "tokaudit#bytes/by": "none",
        "tokaudit#bytes/covered": 0,
        "tokaudit#embedding/model.embed_tokens.weight": ["F16", [100, 2]],
        "tokaudit#rows/spare": 1,
        "tokaudit#rows/multiple_of": 1,
    }


def test_rows_that_were_cut_drift_without_a_digest_of_the_weights(folder: Subject) -> None:
    folder.weights(100)
    before = tokaudit.manifest(folder.path)
    folder.weights(99)
    assert gated(folder, before) == [
        "tokaudit#embedding/model.embed_tokens.weight",
        "tokaudit#rows/spare",
    ]


def test_an_entry_more_drifts_in_the_size(folder: Subject) -> None:
    before = tokaudit.manifest(folder.path)
    folder.whole["model"]["vocab"]["zzz"] = 99
    folder.save()
    assert gated(folder, before) == [
        "vocab-v1",
        "tokaudit#vocabulary/entries",
        "tokaudit#vocabulary/size",
    ]


def test_a_fact_of_the_user_counts_where_it_is_given_again(folder: Subject) -> None:
    before = tokaudit.manifest(folder.path, facts={"attention": "flash"})
    (note,) = tokaudit.verify(folder.path, before)
    assert (note.kind, note.gated) == ("not given", False)
    assert tokaudit.verify(folder.path, before, facts={"attention": "flash"}) == []
    (drift,) = tokaudit.verify(folder.path, before, facts={"attention": "eager"})
    assert (drift.name, drift.gated, drift.now) == ("given#attention", True, "eager")


BATCHES: dict[str, tuple[str, dict[str, Any], str]] = {
    "truncation": (
        "truncation",
        {"direction": "Right", "max_length": 7, "strategy": "LongestFirst", "stride": 0},
        "/truncation: None became {",
    ),
    "padding": (
        "padding",
        {
            "strategy": {"Fixed": 512},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 95,
            "pad_type_id": 0,
            "pad_token": "<s>",
        },
        "/padding: None became {",
    ),
}


@pytest.mark.parametrize(("name", "block", "change"), BATCHES.values(), ids=BATCHES)
def test_truncation_and_padding_left_on_drift_and_are_shown_by_a_text(
    folder: Subject, name: str, block: dict[str, Any], change: str
) -> None:
    manifest = tokaudit.manifest(folder.path)
    folder.whole[name] = block
    folder.save()
    (drift,) = tokaudit.verify(folder.path, manifest).gated
    assert drift.name.startswith("id.batch_settings-v1@unicode-")
    assert [each.startswith(change) for each in drift.changes] == [True]
    assert drift.evidence is not None and drift.evidence.text
    was, now = drift.evidence.expected, drift.evidence.actual
    assert (len(was) > 7, len(now)) == ((True, 7) if name == "truncation" else (False, 512))
    again = tokaudit.manifest(folder.path)
    assert tokaudit.verify(folder.path, again).gated == []


def test_a_manifest_without_parts_of_the_id_still_drifts_by_the_id(folder: Subject) -> None:
    manifest = tokaudit.manifest(folder.path)
    identity = manifest["predicate"]["identity"]
    for name in [name for name in identity if name.startswith("id.")]:
        del identity[name]
    assert gated(folder, manifest) == []
    folder.whole["truncation"] = BATCHES["truncation"][1]
    folder.save()
    (name,) = gated(folder, manifest)
    assert name.startswith("id-v1@unicode-")


def test_a_manifest_that_was_made_with_another_table_says_so_and_is_no_drift(
    folder: Subject, tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    made = tokaudit.manifest(folder.path)
    identity = made["predicate"]["identity"]
    own = [name for name in identity if "@unicode-" in name]
    assert {name.rpartition("-")[2] for name in own} == {table().name}
    assert tokaudit.verify(folder.path, made).other_table == ""
    for name in own:
        identity[name.replace(table().name, "17.0")] = identity.pop(name)
    found = tokaudit.verify(folder.path, made)
    assert (found.ok, found.other_table) == (True, "17.0")
    (tmp_path / "manifest.json").write_text(json.dumps(made))
    ended = tokaudit_in_fork("verify", folder.path, tmp_path / "manifest.json")
    assert (ended.returncode, ended.stderr) == (
        2,
        f"UNVERIFIABLE  {folder.path}: the manifest was made with another table of Unicode "
        "(17.0): short id and cuts are not compared, all else is equal; "
        "write the manifest again\n",
    )
