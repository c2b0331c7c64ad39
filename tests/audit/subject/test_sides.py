"""A folder with a tokenizer for each side of a translation is two parts, each with its own size."""

from __future__ import annotations

import json
from pathlib import Path

import class_folders
import pytest
from real_tokenizers import put, weights

import tokaudit
from tokaudit.subject.opening import open_repository, open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.weights import read_headers


@pytest.fixture
def marian(tmp_path: Path) -> Path:
    return class_folders.of_class(every_class()["MarianTokenizer"], tmp_path / "marian")


@pytest.fixture
def apart(marian: Path) -> Path:
    """The same with a vocabulary for the target, which has its tokens in another order."""
    vocab = json.loads((marian / "vocab.json").read_bytes())
    put(marian / "target_vocab.json", {token: id for id, token in enumerate(reversed(vocab))})
    put(marian / "config.json", {"vocab_size": 90, "decoder_vocab_size": 70})
    return marian


@pytest.fixture
def fsmt(tmp_path: Path) -> Path:
    folder = class_folders.of_class(every_class()["FSMTTokenizer"], tmp_path / "fsmt")
    sizes = {"src_vocab_size": 60, "tgt_vocab_size": 61, "decoder": {"vocab_size": 61}}
    put(folder / "config.json", {"model_type": "fsmt", **sizes})
    return folder


def main_files(folder: Path) -> dict[str, tuple[str, ...]]:
    """Part -> the files of its one representation."""
    found = {}
    for each in open_repository(folder).subjects:
        ((item, _),) = parse_all(each).parsed
        found[each.part] = item.files
    return found


def sizes_of(folder: Path) -> dict[str, list[object]]:
    each = open_repository(folder).subjects
    return {part.part: [fact.value for fact in part.facts_named("vocab_size")] for part in each}


def test_both_sides_have_the_ids_of_the_one_vocabulary(marian: Path) -> None:
    assert main_files(marian) == {
        ".": ("source.spm", "vocab.json"),
        "target.spm": ("target.spm", "vocab.json"),
    }


def test_the_target_has_the_ids_of_its_own_vocabulary(apart: Path) -> None:
    assert main_files(apart) == {
        ".": ("source.spm", "vocab.json"),
        "target.spm": ("target.spm", "target_vocab.json"),
    }


def test_a_vocabulary_for_each_side_is_a_part_for_each(fsmt: Path) -> None:
    assert main_files(fsmt) == {
        ".": ("vocab-src.json", "merges.txt"),
        "vocab-tgt.json": ("vocab-tgt.json", "merges.txt"),
    }


def test_each_side_has_the_size_that_is_stated_of_it(apart: Path, fsmt: Path) -> None:
    assert sizes_of(apart) == {".": [90], "target.spm": [70]}
    assert sizes_of(fsmt) == {".": [60], "vocab-tgt.json": [61]}


def test_sides_of_one_vocabulary_have_one_size(marian: Path) -> None:
    put(marian / "config.json", {"vocab_size": 90, "decoder_vocab_size": 90})
    assert sizes_of(marian) == {".": [90], "target.spm": [90]}


def test_the_rows_of_each_side_are_those_of_its_tensors(fsmt: Path) -> None:
    tensors = {f"model.{side}.embed_tokens.weight": [60, 4] for side in ("encoder", "decoder")}
    weights(fsmt / "model.safetensors", {**tensors, "lm_head.weight": [60, 4]})
    source, target = (read_headers(each).tensors for each in open_repository(fsmt).subjects)
    assert list(source) == ["model.encoder.embed_tokens.weight"]
    assert list(target) == ["model.decoder.embed_tokens.weight", "lm_head.weight"]


def test_a_target_is_judged_by_itself(fsmt: Path) -> None:
    put(fsmt / "config.json", {"src_vocab_size": 60, "tgt_vocab_size": 10})
    report = tokaudit.audit(fsmt, select=["embeddings/config-vocab-size"])
    assert [(part.name, str(part.verdict)) for part in report.parts] == [
        (".", "pass"),
        ("vocab-tgt.json", "fail"),
    ]


def test_the_files_of_the_other_side_are_named_with_the_part_that_reads_them(marian: Path) -> None:
    source, target = open_repository(marian).subjects
    roles = {file.name: file.role for file in source.files}
    assert roles["target.spm"] == "of the other side, which is audited as target.spm"
    roles = {file.name: file.role for file in target.files}
    assert roles["source.spm"] == "of the other side, which is audited as source.spm"


def test_a_target_is_opened_by_its_name(marian: Path) -> None:
    assert open_subject(marian, part="target.spm").part == "target.spm"


def test_a_copy_of_both_sides_is_compared_side_by_side(marian: Path) -> None:
    for name in ("source.spm", "target.spm", "vocab.json", "tokenizer_config.json"):
        put(marian / "checkpoint-5" / name, (marian / name).read_bytes())
    assert {each.part: each.original for each in open_repository(marian).subjects} == {
        ".": "",
        "target.spm": "",
        "checkpoint-5": ".",
        "checkpoint-5/target.spm": "target.spm",
    }


def test_an_entry_of_the_other_side_is_what_unknown_text_is_looked_up_as(
    marian: Path, processes: None
) -> None:
    with tokaudit.open(marian) as opened:
        assert opened.reference.encode(["H"])[0].ids == opened.library.encode(["H"])[0].ids
    target = tokaudit.run_check("agreement/reference", marian, tier="quick")
    assert str(target.status) == "passed"


def test_one_side_alone_is_one_tokenizer(marian: Path) -> None:
    (marian / "target.spm").unlink()
    assert [each.part for each in open_repository(marian).subjects] == [""]
